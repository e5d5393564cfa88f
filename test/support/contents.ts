// Where stamped files are on a disk, and where they should be: each at a path or in a trash, so often as was meant.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isReservedName, trashName } from '../../src-server/disk/reserved-names.ts'
import { readStamp, stampedFile } from './stamped-file.ts'

/** A path from the served root, or `trash` with the path that it had. */
export type Location = string

export const inTrash = (path: string): Location => `trash ${path}`

export const isAt =
  (path: string) =>
  ({ at }: { at: string }): boolean =>
    at === path

/** One content goes from one location to another; without the first it is new, without the second it is gone. */
export type Change = Readonly<{ content: string; from?: Location; to?: Location }>

/**
 * What a kill may leave of some changes: all of them or none, or each of them or not; with `copied` also a content at both locations.
 */
export type Partial = 'whole' | 'each' | 'copied'

type Where = Map<string, Location[]>

/** What is found below a served root. */
export type FoundContents = Readonly<{
  where: ReadonlyMap<string, readonly Location[]>
  /** The paths that trash-cli would list, sorted. */
  trashed: readonly string[]
  /** What is left of writes that were cut off. */
  parts: number
}>

/** Reads all. Files that are not whole, and entries of a trash without information or the reverse, fail the test. */
export function foundContents(root: string): FoundContents {
  const where: Where = new Map()
  const trashed: string[] = []
  let parts = 0
  const read = (file: string, location: Location) => {
    const stamp = readStamp(readFileSync(file))
    assert.ok(stamp, `${location} is whole`)
    where.set(stamp.name, [...(where.get(stamp.name) ?? []), location])
  }
  const walk = (folder: string, location: Location) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.name === trashName) walkTrash(path)
      else if (isReservedName(entry.name)) parts++
      else if (entry.isDirectory()) walk(path, `${location}/${entry.name}`)
      else read(path, `${location}/${entry.name}`)
    }
  }
  const walkTrash = (folder: string) => {
    for (const owner of readdirSync(folder)) {
      const [infos = [], files = []] = ['info', 'files'].map((name) => namesIn(join(folder, owner, name)))
      assert.deepEqual(
        infos,
        files.map((name) => `${name}.trashinfo`),
        'each entry of the trash has its information, and nothing else does',
      )
      for (const name of files) {
        const path = originalPath(readFileSync(join(folder, owner, 'info', `${name}.trashinfo`), 'utf8'))
        assert.ok(path.startsWith(`${root}/`), path)
        const location = inTrash(path.slice(root.length))
        trashed.push(path.slice(root.length))
        const file = join(folder, owner, 'files', name)
        if (isFolder(file)) walk(file, location)
        else read(file, location)
      }
    }
  }
  walk(root, '')
  return { where, trashed: trashed.sort(), parts }
}

/** As trash-cli reads it: the first `Path=`, decoded, and a date of its form. */
function originalPath(info: string): string {
  assert.match(info, /^\[Trash Info\]\n/)
  assert.match(info, /^DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/m)
  return decodeURIComponent(/^Path=(.*)$/m.exec(info)?.[1] ?? '')
}

/** Sorted; none of a folder that is not there: an empty trash is removed. */
function namesIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder).sort() : []
}

function isFolder(path: string): boolean {
  try {
    readdirSync(path)
    return true
  } catch {
    return false
  }
}

let made = 0

/** A content that no other file has. */
export function newContent(length: number): { content: string; bytes: Buffer } {
  const content = `c${process.pid}-${++made}`
  return { content, bytes: stampedFile(content, 0, length) }
}

/** Where the contents of one person should be. */
export class ExpectedContents {
  readonly #where: Where = new Map()

  contents(): IterableIterator<string> {
    return this.#where.keys()
  }

  of(content: string): readonly Location[] {
    return this.#where.get(content) ?? []
  }

  /** The contents whose location begins so, with that. */
  at(start: Location): { content: string; at: Location }[] {
    return [...this.#where].flatMap(([content, all]) => all.filter((one) => one.startsWith(start)).map((at) => ({ content, at })))
  }

  set(content: string, locations: readonly Location[]): void {
    if (locations.length > 0) this.#where.set(content, [...locations])
    else this.#where.delete(content)
  }

  apply(changes: readonly Change[]): void {
    for (const [content, locations] of this.after(changes)) this.set(content, locations)
  }

  /** Where the contents of some changes are when these are done. */
  after(changes: readonly Change[]): Map<string, Location[]> {
    const after: Where = new Map()
    for (const { content, from, to } of changes) {
      const locations = [...(after.get(content) ?? this.#where.get(content) ?? [])]
      if (from !== undefined) {
        assert.ok(locations.includes(from), `the test expects ${content} at ${from}`)
        locations.splice(locations.indexOf(from), 1)
      }
      after.set(content, to === undefined ? locations : [...locations, to])
    }
    return after
  }

  /**
   * Compares with what is there, and takes it over.
   * @param changes what may have been done or not
   * @returns how much of them was done
   */
  compare(found: FoundContents['where'], changes: readonly Change[], partial: Partial): 'before' | 'between' | 'after' {
    const counts = { before: 0, between: 0, after: 0 }
    for (const [content, group] of Map.groupBy(changes, ({ content }) => content)) {
      const is = found.get(content) ?? []
      const before = this.#where.get(content) ?? []
      const what = howFar({ is, before, group, partial })
      assert.ok(what, `${content} is at ${is.join(', ') || 'no place'}; it was at ${before}, and ${JSON.stringify(group)}`)
      counts[what]++
      this.set(content, is)
    }
    for (const [content, locations] of this.#where) {
      assert.deepEqual([...(found.get(content) ?? [])].sort(), [...locations].sort(), `${content} is where it was`)
    }
    const far = counts.between > 0 || (counts.before > 0 && counts.after > 0)
    if (partial === 'whole') assert.equal(far, false, `all or nothing was done: ${JSON.stringify({ counts, changes })}`)
    return far ? 'between' : counts.before > 0 ? 'before' : 'after'
  }
}

type HowFar = { is: readonly Location[]; before: readonly Location[]; group: readonly Change[]; partial: Partial }

/** Undefined for what no kill may leave. */
function howFar({ is, before, group, partial }: HowFar): 'before' | 'between' | 'after' | undefined {
  let possible: { at: Location[]; done: number }[] = [{ at: [...before], done: 0 }]
  for (const { from, to } of group) {
    possible = possible.flatMap(({ at, done }) => {
      const rest = from === undefined ? at : at.toSpliced(at.indexOf(from), 1)
      const added = to === undefined ? [] : [to]
      const both = partial === 'copied' ? [{ at: [...at, ...added], done: done + 0.5 }] : []
      return [{ at, done }, ...both, { at: [...rest, ...added], done: done + 1 }]
    })
  }
  const key = (at: readonly Location[]) => [...at].sort().join('\n')
  const match = possible.find(({ at }) => key(at) === key(is))
  if (!match) return undefined
  return match.done === 0 ? 'before' : match.done === group.length ? 'after' : 'between'
}

/** What undoing leads to: what is new goes into the trash. */
export function reversed(changes: readonly Change[]): Change[] {
  return changes.toReversed().map(({ content, from, to }) => ({ content, ...(to && { from: to, to: from ?? inTrash(to) }) }))
}

/** The way back of an undo or a redo. */
export function backAgain(changes: readonly Change[]): Change[] {
  return changes.toReversed().map(({ content, from, to }) => ({ content, ...(from && { to: from }), ...(to && { from: to }) }))
}
