// Reads a log that is never turned over by lines, and single lines by their places: whatever its length, little of it is in memory.

import * as fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { eachYielding } from '../base/yield-to-event-loop.ts'
import { entryIn } from './log.ts'

/** Where a line is in its file, in bytes and without its newline. */
export type LinePlace = Readonly<{ start: number; length: number }>

export type PlacedEntry<T> = Readonly<{ entry: T; place: LinePlace }>

type IsEntry<T> = (value: unknown) => value is T

/** Bytes that are read at a time, and bytes between two lines that are read with them. */
const [piece, gap] = [2 ** 18, 2 ** 12]

const newline = 0x0a

// Never through a link that somebody has put in its place.
const reading = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW

/** All entries, the oldest first, those together that were read together. What is none is left out. @throws the errno of what failed */
export async function* placedEntries<T>(path: string, isEntry: IsEntry<T>): AsyncGenerator<readonly PlacedEntry<T>[]> {
  const file = await open(path, reading).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!file) return
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(piece), 0, piece, at)
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      const start = at - rest.length
      at += bytesRead
      // What no newline follows may have been torn, and is read as any other line at the end.
      const end = bytesRead === 0 ? bytes.length : bytes.lastIndexOf(newline) + 1
      rest = bytes.subarray(end)
      yield await entriesIn(bytes.subarray(0, end), start, isEntry)
      if (bytesRead === 0) return
    }
  } finally {
    await file.close()
  }
}

async function entriesIn<T>(bytes: Buffer, start: number, isEntry: IsEntry<T>): Promise<PlacedEntry<T>[]> {
  const places: LinePlace[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(newline, from)
    const length = (end < 0 ? bytes.length : end) - from
    if (length > 0) places.push({ start: start + from, length })
    from += length + 1
  }
  const entries: PlacedEntry<T>[] = []
  const add = (place: LinePlace) => {
    const entry = entryIn(textAt(bytes, place, start), isEntry)
    if (entry !== undefined) entries.push({ entry, place })
  }
  await eachYielding(places, add)
  return entries
}

/** Those at some places, in their order. @throws the errno of what failed, an Error where there is none */
export async function entriesAt<T>(path: string, places: readonly LinePlace[], isEntry: IsEntry<T>): Promise<T[]> {
  if (places.length === 0) return []
  const file = await open(path, reading)
  try {
    const found = new Map<LinePlace, T>()
    for (const run of runsOf(places)) for (const { entry, place } of await readRun(file, run, isEntry)) found.set(place, entry)
    return places.map((place) => {
      const entry = found.get(place)
      if (entry === undefined) throw new Error(`${path} has no entry at ${place.start}`)
      return entry
    })
  } finally {
    await file.close()
  }
}

/** Those that are read together. */
function runsOf(places: readonly LinePlace[]): LinePlace[][] {
  const runs: LinePlace[][] = []
  let end = Number.NEGATIVE_INFINITY
  let from = 0
  for (const place of places.toSorted((one, other) => one.start - other.start)) {
    const isNear = place.start - end <= gap && place.start + place.length - from <= piece
    if (isNear) runs.at(-1)?.push(place)
    else {
      runs.push([place])
      from = place.start
    }
    end = place.start + place.length
  }
  return runs
}

async function readRun<T>(file: FileHandle, run: readonly LinePlace[], isEntry: IsEntry<T>): Promise<PlacedEntry<T>[]> {
  const [first, last] = [run[0], run.at(-1)]
  if (!first || !last) return []
  const length = last.start + last.length - first.start
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, first.start)
  const entries: PlacedEntry<T>[] = []
  await eachYielding(run, (place) => {
    const entry = entryIn(textAt(buffer, place, first.start), isEntry)
    if (entry !== undefined) entries.push({ entry, place })
  })
  return entries
}

const textAt = (bytes: Buffer, place: LinePlace, start: number) =>
  bytes.toString('utf8', place.start - start, place.start - start + place.length)
