// Finds entries by their names, and ends in time.
import type { Matcher } from './matcher.ts'

/** Why there may be more than was found: too many results, no more time, or folders that could not be read. */
export type MoreReason = 'results' | 'time' | 'unread'

/** What a search gives: some of what it has found, and at its end why there may be more. */
export type Found<E> = Readonly<{ entries: readonly E[] } | { more: MoreReason }>

type Facts = Parameters<Matcher['finds']>[0]
type Kind = Parameters<Matcher['isWanted']>[1]

export type SearchHow<E extends Facts> = Readonly<{
  matcher: Matcher
  /** Walks through what is searched, and gives what is wanted in batches. */
  walk(how: { isWanted(name: string, kind: Kind): boolean; onUnread(): void; signal: AbortSignal }): AsyncIterable<readonly E[]>
  signal: AbortSignal
  /** How much is found at the most. */
  most: number
  /** Milliseconds. */
  longest: number
}>

/** @throws the signal's reason when it is aborted; what the walk throws */
export async function* search<E extends Facts>({ matcher, walk, signal, most, longest }: SearchHow<E>): AsyncGenerator<Found<E>> {
  const timeout = AbortSignal.timeout(longest)
  let unread = 0
  let left = most
  const walked = walk({
    isWanted: (name, kind) => matcher.isWanted(name, kind),
    onUnread: () => unread++,
    signal: AbortSignal.any([signal, timeout]),
  })
  try {
    for await (const batch of walked) {
      const entries = batch.filter((entry) => matcher.finds(entry))
      if (entries.length > 0) yield { entries: entries.slice(0, left) }
      left -= entries.length
      if (left < 0) return yield { more: 'results' }
    }
  } catch (error) {
    if (signal.aborted || !timeout.aborted) throw error
    return yield { more: 'time' }
  }
  if (unread > 0) yield { more: 'unread' }
}
