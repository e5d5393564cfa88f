import { Readable, Writable } from 'node:stream'
import type { Archiver, EntryData, TarEntryData } from 'archiver'
import { Failure } from '../base/failure.ts'
import type { ArchiveEntry, ArchiveWriter } from './archive.ts'
import { exactContent, wholeContent } from './entry-content.ts'
import { leavesFolder } from './entry-path.ts'
import { Pages, pageLength } from './pages.ts'
import { untilAborted } from './until-aborted.ts'

/** Writes a tar archive (POSIX pax): every name as it is, times in seconds, permissions. Folders are kept as `name/`. */
export const tar = throughArchiver({ make: tarArchive, headerOf })

// Loaded when an archive is made: a server starts without it.
async function tarArchive(): Promise<Archiver> {
  const { TarArchive } = await import('archiver')
  return new TarArchive({ highWaterMark: 64 * 1024 })
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

/** A format that archiver writes. */
type Format = Readonly<{
  make(): Archiver | Promise<Archiver>
  /** What archiver is told about an entry. @throws Failure('invalid') for a path that the format cannot hold */
  headerOf(entry: ArchiveEntry): EntryData
}>

/** A writer that has archiver pack, one entry at a time. */
export function throughArchiver(format: Format): ArchiveWriter {
  return (entries, signal) => packed(format, entries, signal)
}

async function* packed(
  { make, headerOf }: Format,
  entries: AsyncIterable<ArchiveEntry>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const archive = await make()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const bytes = new ByteQueue()
  const feeder = new Feeder({ archive, headerOf, bytes }, either)
  const feeding = feeder.appendAll(untilAborted(entries, either)).then(() => void archive.finalize())
  // Not destroyed at an early end, but left to the garbage collector: destroying it makes streams inside it emit errors that nobody
  // can listen for, which would end the process.
  archive.on('error', (error) => bytes.fail(error))
  feeding.catch((error) => bytes.fail(error))
  archive.pipe(bytes.stream)
  try {
    for await (const piece of bytes) {
      yield piece
      signal.throwIfAborted()
    }
  } finally {
    stop.abort()
    await feeding.catch(() => {})
  }
}

type Open = Pick<Format, 'headerOf'> & Readonly<{ archive: Archiver; bytes: ByteQueue }>

/** Files up to this size are read whole: a stream for each of many small files takes several times as long. */
const longestWhole = 1024 * 1024

/** Gives archiver one entry after the other, so that contents do not collect in its queue. */
class Feeder {
  readonly #open: Open
  readonly #signal: AbortSignal
  /** Of the entry that archiver is working on. */
  #pending: { resolve(): void; reject(reason: unknown): void } | undefined

  constructor(open: Open, signal: AbortSignal) {
    this.#open = open
    this.#signal = signal
    // Once for all entries: a listener for each would be a third of the time of a small file.
    open.archive.on('entry', () => this.#pending?.resolve())
    signal.addEventListener('abort', () => this.#pending?.reject(signal.reason))
  }

  async appendAll(entries: AsyncIterable<ArchiveEntry>): Promise<void> {
    for await (const entry of entries) {
      if (entry.isDir || entry.size <= longestWhole) await this.#appendWhole(entry)
      else await this.#appendLong(entry)
    }
  }

  async #appendWhole(entry: ArchiveEntry): Promise<void> {
    const { archive, headerOf, bytes } = this.#open
    const data = headerOf(entry)
    const { buffer, byteOffset, length } = entry.isDir ? nothing : await wholeContent(entry, this.#signal)
    // A piece of its own, by which it is recognised at the other end.
    const source = Buffer.from(buffer as ArrayBuffer, byteOffset, length)
    // Nothing of an empty one comes out.
    if (length === 0) entry.release?.()
    else bytes.whenCopied(source, () => entry.release?.())
    await this.#appended(() => archive.append(source, data))
  }

  async #appendLong(entry: ArchiveEntry): Promise<void> {
    const { archive, headerOf } = this.#open
    const data = { ...headerOf(entry), stats: { size: entry.size } }
    const source = Readable.from(this.#content(entry), { objectMode: false, highWaterMark: 1 })
    const failed = Promise.withResolvers<never>()
    // Also after the first error: destroying the source may emit another.
    source.on('error', failed.reject)
    try {
      await Promise.race([failed.promise, this.#appended(() => archive.append(source, data as never))])
    } finally {
      source.destroy()
    }
  }

  /** Each chunk is used again when it was copied at the other end. */
  async *#content(entry: ArchiveEntry): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of exactContent(entry, this.#signal)) {
      const piece = Buffer.from(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.length)
      if (entry.giveBack) this.#open.bytes.whenCopied(piece, () => entry.giveBack?.(chunk))
      yield piece
    }
  }

  async #appended(add: () => void): Promise<void> {
    this.#signal.throwIfAborted()
    const { promise, ...pending } = Promise.withResolvers<void>()
    this.#pending = pending
    add()
    await promise
  }
}

const nothing = new Uint8Array(0)

/**
 * What a stream of Node puts out, as pages that are read one at a time. The stream waits meanwhile. Short chunks are copied at once, and
 * chunks that somebody waits for: what they refer to is needed no longer.
 */
class ByteQueue implements AsyncIterable<Uint8Array> {
  /** Where the stream is piped to. */
  readonly stream: Writable
  readonly #pages = new Pages()
  readonly #copied = new WeakMap<Uint8Array, () => void>()
  #ready: Uint8Array[] = []
  #goOn: (() => void) | undefined
  #end: { error?: unknown } | undefined
  #wake = () => {}

  constructor() {
    this.stream = new Writable({
      highWaterMark: pageLength,
      write: (chunk: Uint8Array, _, done) => this.#take([chunk], done),
      writev: (chunks, done) =>
        this.#take(
          chunks.map(({ chunk }) => chunk as Uint8Array),
          done,
        ),
      final: (done) => {
        this.#ready.push(...this.#pages.flush())
        this.#close({})
        done()
      },
    })
  }

  /** @param chunk that the stream will put out as it is */
  whenCopied(chunk: Uint8Array, call: () => void): void {
    this.#copied.set(chunk, call)
  }

  /** Ends the pages with an error: those that wait are dropped. */
  fail(error: unknown): void {
    this.#ready = []
    this.#close({ error })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const piece = this.#ready.shift()
      if (piece) yield piece
      else if (this.#end && 'error' in this.#end) throw this.#end.error
      else if (this.#end) return
      else await this.#more()
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      this.#goOn?.()
    })
  }

  #take(chunks: readonly Uint8Array[], done: () => void) {
    for (const chunk of chunks) {
      const copied = this.#copied.get(chunk)
      if (!copied && chunk.length >= pageLength) this.#ready.push(...this.#pages.flush(), chunk)
      else this.#ready.push(...this.#pages.add(chunk))
      copied?.()
    }
    if (this.#ready.length === 0) return done()
    this.#goOn = () => {
      this.#goOn = undefined
      done()
    }
    this.#wake()
  }

  #close(end: { error?: unknown }) {
    this.#end ??= end
    this.#wake()
  }
}
