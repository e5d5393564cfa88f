// What is known of who sent what by each request link: the sums in memory, the rest in its log.

import { joined, type Path, parsePath } from '../base/paths.ts'
import { whenStateIsFull } from '../base/room.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { Feed } from '../state/feed.ts'
import type { LinePlace } from '../state/placed-lines.ts'
import type { LineOf, RequestLine, RequestStore } from '../state/request-store.ts'
import type { State } from '../state/state.ts'
import { allOf } from '../state/views.ts'
import { type Arrival, Book, type KnownReceipt } from './book.ts'

/** Milliseconds for which what a deleted link had sent is kept where the link itself is not known: a backup may come back. */
const unknownFor = 7 * 24 * 3600_000

type BooksParts = Readonly<{
  store: RequestStore
  state: Pick<State, 'requests' | 'request'> & Readonly<{ feed: Pick<Feed, 'tell'> }>
  now(): number
  report(error: unknown, hash: string): void
}>

export class Books {
  readonly #parts: BooksParts
  /** By hash; undefined for one that cannot be read: its link leads nowhere. */
  readonly #books = new Map<string, Book | undefined>()
  readonly #uses = new Map<string, Set<Promise<void>>>()
  readonly #queue = new SerialQueue()
  /** One asks at a time: a receipt may be about thousands of files. */
  readonly #reads = new SerialQueue()

  constructor(parts: BooksParts) {
    this.#parts = parts
  }

  /** Reads what was kept. Call it once, before anything else. */
  async open(): Promise<void> {
    const { state, store, now } = this.#parts
    const requests = await allOf((after: string | undefined) => state.requests({ after }))
    for (const { hash } of requests) this.#books.set(hash, await this.#read(hash))
    await store
      .removeUnknown((hash) => this.#books.has(hash), now() - unknownFor)
      .catch((error: unknown) => this.#parts.report(error, ''))
  }

  /** What is known of a link that is there, which the caller has just read. @returns undefined for one that could not be read */
  of(hash: string): Book | undefined {
    if (!this.#books.has(hash)) this.#books.set(hash, new Book())
    return this.#books.get(hash)
  }

  /** What is known of a link, perhaps a deleted one. @returns undefined for one of which nothing is, or that could not be read */
  find(hash: string): Book | undefined {
    return this.#books.get(hash)
  }

  /** Durable, and known, when it resolves. @returns false for what says nothing new or is of a deleted link, which is not written @throws Failure('full'), the errno of what else failed */
  add(hash: string, line: RequestLine): Promise<boolean> {
    return this.#queue.run(async () => {
      // What was begun before it was deleted makes no new log.
      if (!(await this.#parts.state.request(hash))) return false
      const book = this.of(hash)
      if (!book) throw new Error(`what is known of ${hash} cannot be read`)
      if (book.knows(line)) return false
      const place = await this.#parts.store.append(hash, line).catch((error: unknown) => {
        throw whenStateIsFull(error, 'the log of a request link')
      })
      book.add(line, place)
      return true
    }, hash)
  }

  /** A file has its name. Pages of the owner are told. @returns whether that is news */
  async addArrival(hash: string, line: LineOf<'arrival'>, userId: number): Promise<boolean> {
    if (!(await this.add(hash, line))) return false
    this.#parts.state.feed.tell([{ kind: 'arrivals', id: hash, userId }])
    return true
  }

  /** What is known of links that were deleted, as a kill has left it, and was not tidied since. */
  async *lost(): AsyncGenerator<[hash: string, book: Book]> {
    for (const hash of await this.#parts.store.hashes()) {
      const book = this.#books.has(hash) ? undefined : await this.#read(hash)
      if (book && !book.isTidied) yield [hash, book]
    }
  }

  /** Nothing that a link which was deleted has left is removed any more. @throws the errno of what failed */
  async tidied(hash: string): Promise<void> {
    await this.#queue.run(() => this.#parts.store.append(hash, { is: 'tidied' }), hash)
  }

  /** All that can be read, by hash. */
  all(): [hash: string, book: Book][] {
    return [...this.#books].filter((entry): entry is [string, Book] => entry[1] !== undefined)
  }

  /** What has arrived with some uploads, in their order; without those that have not. @throws the errno of what failed */
  async arrivals(hash: string, uploads: readonly string[]): Promise<(LineOf<'arrival'> & Pick<Arrival, 'sha256' | 'receipt'>)[]> {
    const known = this.#books.get(hash)?.arrivals
    const found = uploads.flatMap((upload) => known?.get(upload) ?? [])
    const lines = await this.#readAt(hash, found)
    return lines.flatMap((line, index) => {
      const { sha256, receipt } = found[index] ?? {}
      return line.is === 'arrival' ? [{ ...line, ...(sha256 && { sha256 }), ...(receipt && { receipt }) }] : []
    })
  }

  /** Where a file that has arrived is in the served root, as far as that is known. */
  async pathOf(hash: string, { path, as, name, sender }: LineOf<'arrival'>): Promise<Path | undefined> {
    if (path !== undefined) return path as Path
    const { request } = (await this.#parts.state.request(hash)) ?? {}
    const { folder } = this.#books.get(hash)?.senders.get(sender) ?? {}
    if (!request || (request.hasFolders && !folder)) return undefined
    const own = request.hasFolders && folder ? [folder.name] : []
    return joined(request.path as Path, parsePath(`/${[...own, as ?? name].join('/')}`))
  }

  /** The ids of the uploads that a receipt is about. @throws the errno of what failed */
  async uploadsOf(hash: string, receipt: KnownReceipt): Promise<readonly string[]> {
    const [line] = await this.#readAt(hash, [receipt])
    return line?.is === 'receipt' ? line.uploads : []
  }

  #readAt(hash: string, places: readonly LinePlace[]): Promise<RequestLine[]> {
    return places.length === 0 ? Promise.resolve([]) : this.#reads.run(() => this.#parts.store.readAt(hash, places))
  }

  /** Something is begun that may leave a folder. @returns ends that */
  use(hash: string): () => void {
    const use = Promise.withResolvers<void>()
    const uses = this.#uses.get(hash) ?? new Set()
    this.#uses.set(hash, uses.add(use.promise))
    return () => {
      uses.delete(use.promise)
      if (uses.size === 0) this.#uses.delete(hash)
      use.resolve()
    }
  }

  /** The link is deleted. What it had is known until nothing can leave a folder any more: a kill may come before. */
  async remove(hash: string): Promise<void> {
    await Promise.all(this.#uses.get(hash) ?? [])
    await this.#queue.run(async () => {
      this.#books.delete(hash)
      await this.#parts.store.remove(hash)
    }, hash)
  }

  close(): Promise<void> {
    return this.#parts.store.close()
  }

  async #read(hash: string): Promise<Book | undefined> {
    try {
      const book = new Book()
      for await (const lines of this.#parts.store.read(hash)) for (const { entry, place } of lines) book.add(entry, place)
      return book
    } catch (error) {
      this.#parts.report(error, hash)
      return undefined
    }
  }
}
