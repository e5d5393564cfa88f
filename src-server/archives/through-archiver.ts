import { Readable } from 'node:stream'
import type { Archiver, EntryData } from 'archiver'
import type { ArchiveEntry, ArchiveWriter } from './archive.ts'
import { exactContent, wholeContent } from './entry-content.ts'
import { Outlet } from './outlet.ts'
import { untilAborted } from './until-aborted.ts'

/** A format that archiver writes. */
type Format = Readonly<{
  make(): Archiver
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
  const archive = make()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const outlet = new Outlet()
  const feeder = new Feeder({ archive, headerOf, outlet }, either)
  const feeding = feeder.appendAll(untilAborted(entries, either)).then(() => void archive.finalize())
  // Not destroyed at an early end, but left to the garbage collector: destroying it makes streams inside it emit errors that nobody
  // can listen for, which would end the process.
  archive.on('error', (error) => outlet.fail(error))
  feeding.catch((error) => outlet.fail(error))
  archive.pipe(outlet.stream)
  try {
    for await (const piece of outlet) {
      yield piece
      signal.throwIfAborted()
    }
  } finally {
    stop.abort()
    await feeding.catch(() => {})
  }
}

type Open = Pick<Format, 'headerOf'> & Readonly<{ archive: Archiver; outlet: Outlet }>

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
    const { archive, headerOf, outlet } = this.#open
    const data = headerOf(entry)
    const { buffer, byteOffset, length } = entry.isDir ? nothing : await wholeContent(entry, this.#signal)
    // A piece of its own, by which it is recognised at the other end.
    const source = Buffer.from(buffer as ArrayBuffer, byteOffset, length)
    // Nothing of an empty one comes out.
    if (length === 0) entry.release?.()
    else outlet.whenCopied(source, () => entry.release?.())
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
      if (entry.giveBack) this.#open.outlet.whenCopied(piece, () => entry.giveBack?.(chunk))
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
