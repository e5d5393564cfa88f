// The checksums of what has arrived: computed by the server for itself, one file of a link at a time. A job of the owner could be filled by strangers, and
// would end with their sign-out.
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { isAsSealed } from '../disk/version.ts'
import { checksumOf } from '../files/checksum.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { Books } from './books.ts'

type SumsParts = Readonly<{
  books: Books
  /** Of the server itself, in the served root. The operation owns the disk. */
  filesIn(operation: Operation): UserFiles
  /** On which the folder of a link is, as the system names it; found without asking it. */
  deviceOf(hash: string): string
  report(error: unknown): void
}>

/**
 * Links of one device of which files are read at a time, one of each: a large file holds up those of its link, and a disk that does not
 * answer those of its own links.
 */
const atOnce = 3

export class Sums {
  readonly #parts: SumsParts
  /** The ids of uploads by link. */
  readonly #waiting = new Map<string, Readonly<{ device: string; uploads: string[] }>>()
  readonly #running = new Map<string, Readonly<{ device: string; done: Promise<void> }>>()
  readonly #operations = new Set<Operation>()
  #isClosed = false

  constructor(parts: SumsParts) {
    this.#parts = parts
  }

  /** Computes what is missing. */
  begin(): void {
    for (const [hash, { unsummed }] of this.#parts.books.all()) for (const upload of unsummed) this.add(hash, upload)
  }

  /** @param upload the id of that of a file that has arrived */
  add(hash: string, upload: string): void {
    const waiting = this.#waiting.get(hash)
    if (waiting) waiting.uploads.push(upload)
    else this.#waiting.set(hash, { device: this.#parts.deviceOf(hash), uploads: [upload] })
    this.#runNext()
  }

  /** @returns when nothing is computed any more; the rest is at the next start */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const operation of this.#operations) operation.abort(new Error('the server ends'))
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /** The links have their turns one after another. */
  #runNext() {
    for (const [hash, { device, uploads }] of this.#waiting) {
      if (this.#isClosed) return
      if (this.#running.has(hash) || this.#countOn(device) >= atOnce) continue
      const upload = uploads.shift()
      this.#waiting.delete(hash)
      if (uploads.length > 0) this.#waiting.set(hash, { device, uploads })
      if (upload !== undefined) this.#running.set(hash, { device, done: this.#run(hash, upload) })
    }
  }

  #countOn(device: string): number {
    return [...this.#running.values()].filter((one) => one.device === device).length
  }

  async #run(hash: string, upload: string) {
    // What has just arrived is answered first.
    await null
    await this.#sum(hash, upload).catch((error: unknown) => this.#isClosed || this.#parts.report(error))
    this.#running.delete(hash)
    this.#runNext()
  }

  async #sum(hash: string, upload: string) {
    const { books, filesIn } = this.#parts
    const [line] = await books.arrivals(hash, [upload])
    const path = line && (await books.pathOf(hash, line))
    if (!line || path === undefined || this.#isClosed) return
    const operation = new Operation()
    this.#operations.add(operation)
    try {
      const file = await filesIn(operation).openForRaw(path).catch(ignoringLost)
      // A file that was changed since is not what has arrived.
      if (!file || !isAsSealed(file.entry, line.version)) return
      const sha256 = await checksumOf('sha256', file, { signal: operation.signal })
      const present = await filesIn(operation).look(path).catch(ignoringLost)
      if (!present || !isAsSealed(present, line.version) || !books.all().some(([other]) => other === hash)) return
      await books.add(hash, { is: 'sum', upload, sha256 })
    } finally {
      this.#operations.delete(operation)
      await operation.end()
    }
  }
}

function ignoringLost(error: unknown): undefined {
  if (!(error instanceof Failure) || error.code === 'internal') throw error
}
