// Reads a log backwards, with the files that were turned over.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { entryIn, logFilesOf } from './log.ts'

/** An entry, and its place in the log, which stays the same when the files are turned over: `<inode>-<byte>-<milliseconds>`. */
export type Placed<T> = Readonly<{ entry: T; at: string }>

/** Where the reading begins, and what ends it. */
export type ReadFrom = Readonly<{
  signal: AbortSignal
  /** The place of an entry: only what is older than it is read; nothing when it has been deleted meanwhile. '' is the newest. */
  after?: string | undefined
}>

/** Bytes that are read to recognise the entry at a place. */
const beginning = 256

/** Bytes that are read at a time. */
const piece = 65_536

/** Bytes. No entry has a longer line: what is longer is left out, because it would be kept in memory. */
const longestLine = 2 ** 20

const newline = 0x0a

/**
 * The entries of all files, the newest first, those together that were read together. Lines that are no entries are left out.
 * @param isEntry whose JSON begins with its time
 */
export async function* readBackwards<T extends Readonly<{ time: string }>>(
  path: string,
  isEntry: (value: unknown) => value is T,
  { signal, after }: ReadFrom,
): AsyncGenerator<readonly Placed<T>[]> {
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
      for await (const lines of linesBackwards(file, from?.start ?? Number(size), signal)) {
        yield lines.flatMap(({ text, start }) => {
          const entry = entryIn(text, isEntry)
          return entry ? [{ entry, at: `${inode}-${start}-${millisecondsOf(entry.time)}` }] : []
        })
      }
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

/** 0 for what is no time. */
const millisecondsOf = (time: string): number => Date.parse(time) || 0

/** A line, and the place of its first byte in the file. */
type PlacedLine = Readonly<{ start: number; text: string }>

/**
 * The lines before a place, the last first, those together that were read together. Not more than one piece and one line is in
 * memory.
 * @param from where the last line ends
 */
async function* linesBackwards(file: FileHandle, from: number, signal: AbortSignal): AsyncGenerator<readonly PlacedLine[]> {
  let rest: Buffer = Buffer.alloc(0)
  for (let end = from; end > 0; ) {
    signal.throwIfAborted()
    const length = Math.min(piece, end)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, end - length)
    end -= length
    const bytes = Buffer.concat([buffer.subarray(0, bytesRead), rest])
    // What stands before the first newline may begin in the piece before.
    const first = end > 0 ? bytes.indexOf(newline) : -1
    const isUnfinished = end > 0 && first < 0
    rest = isUnfinished ? bytes.subarray(0, longestLine) : bytes.subarray(0, Math.max(first, 0))
    if (!isUnfinished) yield linesIn(bytes.subarray(first + 1), end + first + 1)
  }
}

/** The last first. @param start the place of the first byte in the file */
function linesIn(bytes: Buffer, start: number): PlacedLine[] {
  const lines: PlacedLine[] = []
  let end = bytes.length
  while (end > 0) {
    const before = bytes.lastIndexOf(newline, end - 1)
    if (before + 1 < end) lines.push({ start: start + before + 1, text: bytes.toString('utf8', before + 1, end) })
    end = before
  }
  return lines
}
