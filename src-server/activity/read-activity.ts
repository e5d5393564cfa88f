// Reads the activity log backwards.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { ActivityEntry } from './activity-line.ts'
import { linesBackwards, type PlacedLine } from './lines-backwards.ts'
import { logFilesOf } from './log-file.ts'

/** An entry, and its place in the log, which stays the same when the files are turned over: `<inode>-<byte>-<milliseconds>`. */
export type PlacedEntry = Readonly<{ entry: ActivityEntry; at: string }>

/** Bytes that are read to recognise the entry at a place. Its time stands at its beginning. */
const beginning = 256

/** Where the reading begins, and what ends it. */
export type ReadFrom = Readonly<{
  signal: AbortSignal
  /** The place of an entry: only what is older than it is read; nothing when it has been deleted meanwhile. '' is the newest. */
  after?: string | undefined
}>

/**
 * The entries of all files, the newest first, those together that were read together. Lines that are no entries are left out.
 */
export async function* readActivity(path: string, { signal, after }: ReadFrom): AsyncGenerator<readonly PlacedEntry[]> {
  // A file that is turned over while its predecessor is read has another name then.
  const seen = new Set<string>()
  let from = after ? placeOf(after) : undefined
  for (const name of logFilesOf(path)) {
    const file = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
    if (!file) continue
    try {
      const { ino, size } = await file.stat({ bigint: true })
      const inode = String(ino)
      if (seen.has(inode) || (from && !(await holds(file, inode, from)))) continue
      seen.add(inode)
      for await (const lines of linesBackwards(file, { end: from?.start ?? Number(size), signal })) yield entriesIn(lines, inode)
      from = undefined
    } finally {
      await file.close()
    }
  }
}

type EntryPlace = Readonly<{ inode: string; start: number; time: number }>

function placeOf(at: string): EntryPlace {
  const [inode = '', start, time] = at.split('-')
  return { inode, start: Number(start), time: Number(time) }
}

/** The number of a deleted file may have been given to a new one. */
async function holds(file: FileHandle, inode: string, place: EntryPlace): Promise<boolean> {
  if (inode !== place.inode) return false
  const { bytesRead, buffer } = await file.read(Buffer.alloc(beginning), 0, beginning, place.start)
  const [, time = ''] = /^\{"time":"([^"]*)"/.exec(buffer.toString('utf8', 0, bytesRead)) ?? []
  return millisecondsOf(time) === place.time
}

function entriesIn(lines: readonly PlacedLine[], inode: string): PlacedEntry[] {
  return lines.flatMap(({ text, start }) => {
    const entry = entryIn(text)
    return entry ? [{ entry, at: `${inode}-${start}-${millisecondsOf(entry.time)}` }] : []
  })
}

/** 0 for what is no time. */
const millisecondsOf = (time: string): number => Date.parse(time) || 0

function entryIn(line: string): ActivityEntry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'what' in value ? (value as ActivityEntry) : undefined
  } catch {
    return undefined
  }
}
