import { Readable } from 'node:stream'
import type { Archiver, EntryData } from 'archiver'
import type { ArchiveEntry, ArchiveWriter } from './archive.ts'
import { exactContent, wholeContent } from './entry-content.ts'
import { joined } from './joined.ts'
import { untilAborted } from './until-aborted.ts'

/** A format that archiver writes. */
type Format = Readonly<{
  make(): Archiver
  /** What archiver is told about an entry. @throws Failure('invalid') for a path that the format cannot hold */
  headerOf(entry: ArchiveEntry): EntryData
}>

type Open = Pick<Format, 'headerOf'> & Readonly<{ archive: Archiver }>

/** A writer that has archiver pack, one entry at a time. */
export function throughArchiver(format: Format): ArchiveWriter {
  return (entries, signal) => joined(packed(format, entries, signal), signal)
}

/** Files up to this size are read whole: a stream for each of many small files takes several times as long. */
const longestWhole = 1024 * 1024

async function* packed(
  { make, headerOf }: Format,
  entries: AsyncIterable<ArchiveEntry>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const archive = make()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const feeding = appendAll({ archive, headerOf }, untilAborted(entries, either), either).then(() => void archive.finalize())
  try {
    yield* read(archive, feeding)
  } finally {
    stop.abort()
    await feeding.catch(() => {})
  }
}

/**
 * What archiver writes. At an early end it is left to the garbage collector, because destroying it makes streams inside it emit
 * errors that nobody can listen for, which would end the process.
 * @param feeding rejects when there will be no more
 */
async function* read(archive: Archiver, feeding: Promise<void>): AsyncGenerator<Uint8Array, void, undefined> {
  let wake = () => {}
  archive.on('readable', () => wake())
  const failed = new Promise<never>((_, reject) => {
    archive.on('error', reject)
    feeding.catch(reject)
  })
  // It may reject when nobody waits for it any more.
  failed.catch(() => {})
  const ended = new Promise<void>((resolve) => archive.on('end', resolve))
  while (!archive.readableEnded) {
    const chunk: Buffer | null = archive.read()
    if (chunk) {
      yield chunk
      continue
    }
    const readable = new Promise<void>((resolve) => {
      wake = resolve
    })
    await Promise.race([failed, ended, readable])
  }
}

async function appendAll(open: Open, entries: AsyncIterable<ArchiveEntry>, signal: AbortSignal) {
  for await (const entry of entries) await append(open, entry, signal)
}

async function append({ archive, headerOf }: Open, entry: ArchiveEntry, signal: AbortSignal): Promise<void> {
  const data = headerOf(entry)
  if (entry.isDir || entry.size <= longestWhole) {
    const content = entry.isDir ? Buffer.alloc(0) : await wholeContent(entry, signal)
    return appended(archive, () => archive.append(Buffer.from(content.buffer, content.byteOffset, content.length), data), signal)
  }
  const source = Readable.from(exactContent(entry, signal), { objectMode: false, highWaterMark: 1 })
  // Also after the first error: destroying the source may emit another.
  const failed = new Promise<never>((_, reject) => source.on('error', reject))
  try {
    await Promise.race([
      failed,
      appended(archive, () => archive.append(source, { ...data, stats: { size: entry.size } } as never), signal),
    ])
  } finally {
    source.destroy()
  }
}

/** One entry after the other, so that contents do not collect in the queue of archiver. */
function appended(archive: Archiver, add: () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => () => {
      signal.removeEventListener('abort', aborted)
      archive.off('entry', done)
      settle()
    }
    const done = finish(resolve)
    const aborted = finish(() => reject(signal.reason))
    signal.throwIfAborted()
    signal.addEventListener('abort', aborted)
    archive.on('entry', done)
    add()
  })
}
