// An act without what was noted twice: once before a kill, and once more by the job that went on.
import { type DeedLine, wasMade } from '../state/history-store.ts'
import { above } from './seen-paths.ts'

/** @param presentIdentity see `DeedSink` @returns the changes, each once, in their order: the same ones however many are undone */
export function withoutRepeats(lines: readonly DeedLine[], presentIdentity: (was: string) => string): readonly DeedLine[] {
  const once = withoutRepeatedIds(lines.filter(wasMade))
  const repeated = repeatedPlaces(once, presentIdentity)
  return repeated.size === 0 ? once : once.filter((line) => !repeated.has(line))
}

/** What went through the trash under one id did so once. Of a replaced content the last one tells what is there. */
function withoutRepeatedIds(lines: readonly DeedLine[]): readonly DeedLine[] {
  const [first, last] = [new Map<string, DeedLine>(), new Map<string, DeedLine>()]
  for (const line of lines) {
    const way = wayOf(line)
    if (way === undefined) continue
    if (!first.has(way)) first.set(way, line)
    last.set(way, line)
  }
  return lines.filter((line) => {
    const way = wayOf(line)
    return way === undefined || (line.is.what === 'content' ? last : first).get(way) === line
  })
}

/** @returns undefined for what did not go through the trash */
function wayOf({ is, isUndone = false }: DeedLine): string | undefined {
  if (is.what === 'content') return `instead of ${isUndone ? is.was : is.item}`
  if (is.what !== 'entry') return undefined
  const id = is.item ?? is.was
  // What was put back may have been deleted again. One that is undone stands the other way round.
  return id === undefined ? undefined : `${(is.item !== undefined) === isUndone ? 'out of' : 'into'} ${id}`
}

/**
 * Changes after which something has a path that another one of the act says too, with nothing in between that takes it away. The last
 * one tells what is there; of folders the first one, which comes before what is in them.
 */
function repeatedPlaces(lines: readonly DeedLine[], presentIdentity: (was: string) => string): ReadonlySet<DeedLine> {
  const repeated = new Set<DeedLine>()
  const made = new Map<string, Readonly<{ line: DeedLine; index: number }>>()
  /** By path: the last change that took away what had it. */
  const taken = new Map<string, number>()
  const identityOf = ({ is }: DeedLine) => (is.what === 'folder' ? presentIdentity(is.trace.identity) : '')
  for (const [index, line] of lines.entries()) {
    const { makes, takes } = endsOf(line)
    if (takes !== undefined) taken.set(takes, index)
    if (makes === undefined) continue
    const key = `${line.is.what} ${makes}\n${takes ?? ''}`
    const before = made.get(key)
    const isRepeat = before && above(makes).every((path) => (taken.get(path) ?? -1) < before.index)
    const isSameFolder = isRepeat && line.is.what === 'folder' && identityOf(before.line) === identityOf(line)
    if (isRepeat) repeated.add(isSameFolder ? line : before.line)
    if (!isSameFolder) made.set(key, { line, index })
  }
  return repeated
}

/** Which path has an entry once a change is done, and which one has none any more. */
function endsOf({ is, isUndone = false }: DeedLine): Readonly<{ makes?: string; takes?: string }> {
  switch (is.what) {
    case 'entry':
      return (is.item === undefined) === isUndone ? { takes: is.at } : { makes: is.at }
    case 'folder':
      return (is.isGone !== true) === isUndone ? { takes: is.at } : { makes: is.at }
    case 'move':
      return isUndone ? { makes: is.from, takes: is.at } : { makes: is.at, takes: is.from }
    case 'lost':
      return { takes: is.at }
    case 'content':
      return {}
  }
}
