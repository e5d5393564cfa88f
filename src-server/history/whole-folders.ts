// Finds the folders that an act has made with all that is in them: undone, each is one item of the trash.
import { type Deed, type DeedLine, wasMade } from '../state/history-store.ts'
import { above } from './seen-paths.ts'

/** A change as things stand now. `within`: that of the folder in the trash with which it went: its own line does not say it. */
export type PresentLine = DeedLine & Readonly<{ within?: DeedLine }>

/** What is undone, or done again, at once: a change, or that of a folder with those `below` its path. */
export type Unit = Readonly<{ line: PresentLine; below: readonly PresentLine[] }>

/** The changes below the folders that went into the trash whole are undone with them. @returns those that were made */
export function presentLines(noted: readonly DeedLine[]): readonly PresentLine[] {
  const lines = noted.filter(wasMade)
  const wholes = new Map(lines.filter(({ is }) => wholeItem(is) !== undefined).map((line) => [line.is.at, line]))
  if (wholes.size === 0) return lines
  return lines.map((line) => {
    const within = line.isUndone ? undefined : strictlyAbove(line.is.at).find((path) => wholes.has(path))
    return within === undefined ? line : { ...line, isUndone: true, within: wholes.get(within) as DeedLine }
  })
}

/** @returns undefined for what is not in the trash with what is in it */
function wholeItem(deed: Deed): string | undefined {
  return deed.what === 'folder' ? deed.item : undefined
}

/** @param todo what is done again @returns the same, in the order of the folders */
export function unitsToRedo(todo: readonly PresentLine[]): Unit[] {
  return unitsOf(todo, ({ within }) => within?.is.at)
}

/**
 * Of one path an act may have had several entries, and what it moved or replaced there goes elsewhere: only of folders without any of
 * that it is sure that what the act has made in them is what they hold.
 * @param lines all changes of the act, so that it is the same when an undo goes on that has broken off
 * @param todo what is undone, in that order
 */
export function unitsToUndo(lines: readonly PresentLine[], todo: readonly PresentLine[]): Unit[] {
  const folders = foldersAlone(lines)
  return unitsIn(todo, (path) => folders.has(path))
}

/** What is undone in place of a folder that cannot go whole: the folders in it that may, and the rest one by one, itself last. */
export function partsOf({ line, below }: Unit): Unit[] {
  const folders = new Set(below.filter(({ is }) => is.what === 'folder').map(({ is }) => is.at))
  return [...unitsIn(below, (path) => folders.has(path)), { line, below: [] }]
}

function unitsIn(todo: readonly PresentLine[], mayGoWhole: (path: string) => boolean): Unit[] {
  const holding = new Set<string>()
  for (const { is } of todo) if (is.what === 'entry') for (const path of strictlyAbove(is.at)) holding.add(path)
  const whole = new Set(todo.map(({ is }) => is.at).filter((path) => mayGoWhole(path) && holding.has(path)))
  // The highest one takes the others along.
  return unitsOf(todo, ({ is }) => strictlyAbove(is.at).findLast((path) => whole.has(path)))
}

/** The paths of the folders that an act has made, at and below which it has done nothing but to make each thing once. */
function foldersAlone(lines: readonly PresentLine[]): ReadonlySet<string> {
  const folders = new Set<string>()
  const made = new Set<string>()
  /** At these paths, or below them, it has done something else. */
  const others = new Set<string>()
  for (const line of lines) {
    const { is } = line
    if (isMade(line) && !made.has(is.at)) {
      made.add(is.at)
      if (is.what === 'folder') folders.add(is.at)
      continue
    }
    for (const path of 'from' in is ? [is.at, is.from] : [is.at]) for (const one of above(path)) others.add(one)
  }
  return folders.difference(others)
}

/** Whether it has made a folder, a file or a link: what came out of the trash is known to other acts by its id there. */
function isMade({ is, isUndone = false, within }: PresentLine): boolean {
  const isThere = isUndone === (within !== undefined)
  if (is.what === 'folder') return (is.isGone !== true) === isThere
  return is.what === 'entry' && !is.isDir && is.was === undefined && (is.item === undefined) === isThere
}

/** @param folderOf the path of the folder with which a change goes */
function unitsOf(todo: readonly PresentLine[], folderOf: (line: PresentLine) => string | undefined): Unit[] {
  const below = new Map<string, PresentLine[]>()
  const alone: PresentLine[] = []
  for (const line of todo) {
    const folder = folderOf(line)
    if (folder === undefined) alone.push(line)
    else if (!below.get(folder)?.push(line)) below.set(folder, [line])
  }
  return alone.map((line) => ({ line, below: (line.is.what === 'folder' && below.get(line.is.at)) || [] }))
}

/** From the nearest one to the highest. */
const strictlyAbove = (path: string) => above(path).slice(1)
