// What a commit has changed, told to whoever depends on it: nobody asks the state again and again.
import type { Progress } from '../base/operation.ts'
import { listNames, recordLists } from '../contract/records.ts'
import type { RecordLists, StateData, StoredSettings } from './state-data.ts'

/** A record before and after a commit: without `before` it was added, without `after` removed. */
type Changed<K extends string, R> = Readonly<{ kind: K; id: string; before?: R; after?: R }>

type Lists = typeof recordLists
type ListChange = { [L in keyof Lists]: Changed<Lists[L]['kind'], RecordLists[L][number]> }[keyof Lists]

/** A changed record. `id` is its key as a text, and '' of the settings. */
export type RecordChange = Changed<'settings', StoredSettings> | ListChange

/** How far some long work is. Stored nowhere. `id` is that of the work. */
export type WorkProgress = Readonly<{ kind: 'progress'; id: string; progress: Progress }>

/** How many downloads a link has given. Counts are kept beside the state. `id` is the hash of the link. */
export type DownloadCount = Readonly<{ kind: 'downloads'; id: string; count: number }>

/** Files have arrived by a request link. They are kept beside the state. `id` is the hash of the link, `userId` that of its owner. */
export type Arrivals = Readonly<{ kind: 'arrivals'; id: string; userId: number }>

export type News = RecordChange | WorkProgress | DownloadCount | Arrivals

/** What a listener is told of: a kind, or one of a kind, as `user:3`. */
export type Subject = News['kind'] | `${News['kind']}:${string}`

type Listener = (news: readonly News[]) => void

/** Tells listeners of commits, in order. */
export class Feed {
  readonly #listeners = new Map<Subject, Set<Listener>>()
  readonly #gathered = new Set<News[]>()
  readonly #report: (error: unknown) => void

  /** @param report called with what a listener throws, which fails nothing else */
  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /**
   * Calls `listener` once for each commit that has news about one of the subjects: when the new records are what is read, and
   * before the change resolves. It must be synchronous and fast. @returns ends it
   */
  listen(subjects: readonly Subject[], listener: Listener): () => void {
    for (const subject of subjects) {
      const listeners = this.#listeners.get(subject) ?? new Set()
      this.#listeners.set(subject, listeners.add(listener))
    }
    return () => {
      for (const subject of subjects) {
        const listeners = this.#listeners.get(subject)
        listeners?.delete(listener)
        if (listeners?.size === 0) this.#listeners.delete(subject)
      }
    }
  }

  /** Keeps all that is told while something is read, for whoever listens only then. @returns ends it, and gives what was told */
  gather(): () => readonly News[] {
    const told: News[] = []
    this.#gathered.add(told)
    return () => {
      this.#gathered.delete(told)
      return told
    }
  }

  /** Tells the news of one commit. */
  tell(news: readonly News[]): void {
    for (const all of this.#gathered) for (const one of news) all.push(one)
    const told = new Map<Listener, News[]>()
    for (const one of news) {
      for (const subject of [one.kind, `${one.kind}:${one.id}`] as const) {
        for (const listener of this.#listeners.get(subject) ?? []) {
          const list = told.get(listener)
          if (list === undefined) told.set(listener, [one])
          else if (list.at(-1) !== one) list.push(one)
        }
      }
    }
    for (const [listener, list] of told) {
      try {
        listener(list)
      } catch (error) {
        this.#report(error)
      }
    }
  }
}

/** The records that differ between two states. Records are frozen and replaced, so that they are compared by identity. */
export function changesBetween(before: StateData, after: StateData): RecordChange[] {
  if (before === after) return []
  const settings = { kind: 'settings', id: '', before: before.settings, after: after.settings } as const
  return [
    ...(before.settings === after.settings ? [] : [settings]),
    ...listNames.flatMap((name) => listChanges<object>(recordLists[name], before[name], after[name]) as ListChange[]),
  ]
}

/** Lists mostly differ in one record, so what both begin and end with is left out first. */
function listChanges<R extends object>(
  { kind, key }: Readonly<{ kind: string; key: string }>,
  before: readonly R[],
  after: readonly R[],
): Changed<string, R>[] {
  const idOf = (record: R) => String(record[key as keyof R])
  if (before === after) return []
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const old = new Map(before.slice(start, before.length - end).map((record) => [idOf(record), record]))
  const changes: Changed<string, R>[] = []
  for (const record of after.slice(start, after.length - end)) {
    const id = idOf(record)
    const present = old.get(id)
    old.delete(id)
    if (present === undefined) changes.push({ kind, id, after: record })
    else if (present !== record) changes.push({ kind, id, before: present, after: record })
  }
  for (const [id, record] of old) changes.push({ kind, id, before: record })
  return changes
}
