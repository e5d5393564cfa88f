// What is known of who sent what by each request link: the sums in memory, the rest in its log.
import { SerialQueue } from '../base/serial-queue.ts'
import type { Feed } from '../state/feed.ts'
import type { LineOf, RequestLine, RequestStore } from '../state/request-store.ts'
import type { State } from '../state/state.ts'
import { allOf } from '../state/views.ts'
import { sourceOf } from '../users/source-address.ts'

/** Somebody who has sent something, or was about to. */
export type Sender = {
  readonly id: string
  readonly name?: string | undefined
  /** The address, or its network. */
  readonly source: string
  /** Milliseconds since the epoch. */
  readonly at: number
  folder?: Readonly<{ name: string; identity: string }>
  files: number
  bytes: number
  lastAt?: number
}

/** What a file counts at least, though it is empty. */
export const countedBytes = (size: number): number => Math.max(size, 4096)

/** Milliseconds for which what a deleted link had sent is kept where the link itself is not known: a backup may come back. */
const unknownFor = 7 * 24 * 3600_000

/** What is known of one link. */
export class Book {
  readonly senders = new Map<string, Sender>()
  /** The ids of the uploads that have arrived. */
  readonly arrivals = new Set<string>()
  /** Those without a checksum. */
  readonly unsummed = new Map<string, LineOf<'arrival'>>()
  /** Of all files that have arrived, each at least `countedBytes(0)`. */
  countedBytes = 0
  bytes = 0
  /** How many senders have sent a file. */
  withFiles = 0
  lastAt: number | undefined

  get files(): number {
    return this.arrivals.size
  }

  /** Whether a line says nothing new. */
  knows(line: RequestLine): boolean {
    if (line.is === 'arrival') return this.arrivals.has(line.upload)
    const known = line.is === 'sender' ? this.senders.get(line.id) : undefined
    return line.is === 'sender' && known !== undefined && (known.name !== undefined || line.name === undefined)
  }

  add(line: RequestLine): void {
    if (this.knows(line)) return
    if (line.is === 'sender') this.#addSender(line)
    if (line.is === 'arrival') this.#addArrival(line)
    if (line.is === 'sum') this.unsummed.delete(line.upload)
    const sender = line.is === 'folder' ? this.senders.get(line.sender) : undefined
    if (line.is === 'folder' && sender) sender.folder = { name: line.name, identity: line.identity }
  }

  #addSender({ id, name, at, address }: LineOf<'sender'>) {
    const known = this.senders.get(id)
    this.senders.set(id, { id, at, source: sourceOf(address), files: 0, bytes: 0, ...known, name })
  }

  #addArrival(line: LineOf<'arrival'>) {
    const { upload, sender: id, size, at } = line
    this.arrivals.add(upload)
    this.unsummed.set(upload, line)
    this.bytes += size
    this.countedBytes += countedBytes(size)
    this.lastAt = at
    const sender = this.senders.get(id)
    if (!sender) return
    if (sender.files === 0) this.withFiles++
    sender.files++
    sender.bytes += size
    sender.lastAt = at
  }
}

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
  readonly #queue = new SerialQueue()
  /** One log at a time is read: a long one takes hundreds of megabytes. */
  readonly #reads = new SerialQueue()
  /** What waits to be read, by hash. */
  readonly #waiting = new Map<string, Promise<readonly RequestLine[]>>()

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

  /** @returns undefined for one that could not be read */
  of(hash: string): Book | undefined {
    if (!this.#books.has(hash)) this.#books.set(hash, new Book())
    return this.#books.get(hash)
  }

  /** Durable, and known, when it resolves. @returns false for what says nothing new or is of a deleted link, which is not written @throws the errno of what failed */
  add(hash: string, line: RequestLine): Promise<boolean> {
    return this.#queue.run(async () => {
      // What was begun before it was deleted makes no new log.
      if (!(await this.#parts.state.request(hash))) return false
      const book = this.of(hash)
      if (!book) throw new Error(`what is known of ${hash} cannot be read`)
      if (book.knows(line)) return false
      await this.#parts.store.append(hash, line)
      book.add(line)
      return true
    }, hash)
  }

  /** A file has its name. Pages of the owner are told. @returns whether that is news */
  async addArrival(hash: string, line: LineOf<'arrival'>, userId: number): Promise<boolean> {
    if (!(await this.add(hash, line))) return false
    this.#parts.state.feed.tell([{ kind: 'arrivals', id: hash, userId }])
    return true
  }

  /** All that can be read, by hash. */
  all(): [hash: string, book: Book][] {
    return [...this.#books].filter((entry): entry is [string, Book] => entry[1] !== undefined)
  }

  /** All lines, the oldest first. @throws the errno of what failed */
  lines(hash: string): Promise<readonly RequestLine[]> {
    const waiting = this.#waiting.get(hash)
    if (waiting) return waiting
    const reading = this.#reads.run(() => {
      // Who asks from now on needs what is added meanwhile.
      this.#waiting.delete(hash)
      return this.#parts.store.read(hash)
    })
    this.#waiting.set(hash, reading)
    return reading
  }

  /** The link is deleted. */
  remove(hash: string): Promise<void> {
    return this.#queue.run(async () => {
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
      for (const line of await this.#parts.store.read(hash)) book.add(line)
      return book
    } catch (error) {
      this.#parts.report(error, hash)
      return undefined
    }
  }
}
