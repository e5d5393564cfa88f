import { Readable } from 'node:stream'
import { type Archiver, TarArchive, type TarEntryData } from 'archiver'
import { Failure } from '../base/failure.ts'
import type { ArchiveEntry, ArchiveWriter } from './archive.ts'
import { exactContent, wholeContent } from './entry-content.ts'
import { leavesFolder } from './entry-path.ts'
import { joined } from './joined.ts'
import { untilAborted } from './until-aborted.ts'

/** Files up to this size are read whole: a stream for each of many small files takes several times as long. */
const longestWhole = 1024 * 1024

/** Writes a tar archive (POSIX pax): every name as it is, times in seconds, permissions. Folders are kept as `name/`. */
export const tar: ArchiveWriter = (entries, signal) => joined(packed(entries, signal), signal)

async function* packed(entries: AsyncIterable<ArchiveEntry>, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const archive = new TarArchive()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const feeding = appendAll(archive, untilAborted(entries, either), either).then(() => void archive.finalize())
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

async function appendAll(archive: Archiver, entries: AsyncIterable<ArchiveEntry>, signal: AbortSignal) {
  for await (const entry of entries) await append(archive, entry, signal)
}

async function append(archive: Archiver, entry: ArchiveEntry, signal: AbortSignal): Promise<void> {
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

/** Seconds that a plain header holds as tar-stream writes it. */
const latestPlain = 0x7fff_ffff
/** Names that archiver leaves as they are: it takes a backslash for a slash, and removes what looks like a drive. */
const plainName = /^[A-Za-z0-9_ .@+=,(){}-]+(\/[A-Za-z0-9_ .@+=,(){}-]+)*$/

type Header = TarEntryData & { pax?: Record<string, string> }

/** @throws Failure('invalid') for a path that leads out of the folder where the archive is unpacked */
function headerOf({ path, isDir, modified, mode }: ArchiveEntry): Header {
  if (leavesFolder(path)) throw new Failure('invalid', 'a path does not fit into an archive')
  const seconds = Number(modified / 1_000_000_000n)
  const isPlainTime = seconds >= 0 && seconds <= latestPlain
  const isPlainName = plainName.test(path)
  const pax = {
    ...(!isPlainName && { path: path + (isDir ? '/' : '') }),
    ...(!isPlainTime && { mtime: String(seconds) }),
  }
  return {
    name: isPlainName ? path : 'entry',
    type: isDir ? 'directory' : 'file',
    date: new Date(Math.min(Math.max(seconds, 0), latestPlain) * 1000),
    mode: mode & 0o7777,
    ...(Object.keys(pax).length > 0 && { pax }),
  }
}
