// Finds out beside the work of a job how much its entries hold, so that it can be said how far it is.
import { setTimeout } from 'node:timers/promises'
import type { Operation } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { TreeCount } from './tally.ts'

/** Milliseconds after which it begins: what is over by then is not counted. */
export const countDelay = 700
/** Entries at any depth that are counted; of a larger job it is not said how much it is. */
const mostCounted = 1_000_000

/** Milliseconds between two files: of many that were named the work itself finds out most. */
const filePause = 5

/** The work has found out meanwhile how much an entry holds, or has ended with it. */
const knownMeanwhile = new Error('it is known by now')

type CountParts = Readonly<{
  entries: readonly Path[]
  /** Whether it need not be counted: it has ended, or the work has told how much it is. */
  isKnown(entry: number): boolean
  found(entry: number, holds: TreeCount): void
}>

/** One entry after another, and files slowly, so that the work has the disk for itself. @throws what the disk throws, and when there are too many */
export async function countEntries(
  files: UserFiles,
  operation: Operation,
  { entries, isKnown, found }: CountParts,
): Promise<void> {
  let before = 0
  const check = (counted: number) => {
    if (before + counted > mostCounted) operation.abort(new Error('there are too many entries'))
    operation.signal.throwIfAborted()
  }
  for (const [entry, path] of entries.entries()) {
    check(0)
    if (isKnown(entry)) continue
    const checkOne = (counted: number) => {
      check(counted)
      if (isKnown(entry)) throw knownMeanwhile
    }
    const size = await sizeAt(files, path, checkOne).catch((error: unknown) => {
      if (error !== knownMeanwhile) throw error
    })
    if (!size) continue
    if (size.files === 1) await setTimeout(filePause, undefined, { ref: false, signal: operation.signal })
    check(0)
    before += size.files
    // It may have ended meanwhile.
    if (!isKnown(entry)) found(entry, size)
  }
}

/** @returns undefined for what is gone, or may not be seen: the work says so */
async function sizeAt(files: UserFiles, path: Path, check: (counted: number) => void): Promise<TreeCount | undefined> {
  const entry = await files.look(path).catch(() => undefined)
  if (!entry) return undefined
  if (!entry.isDir || entry.isSymlink) return { files: 1, bytes: entry.isSymlink ? 0 : entry.size }
  const size = await files.size(path, ({ files, folders }) => check(files + folders))
  return { files: 1 + size.files + size.folders, bytes: size.bytes }
}
