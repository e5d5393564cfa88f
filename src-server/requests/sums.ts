// The checksums of what has arrived: computed by the server for itself, one file at a time. A job of the owner could be filled by strangers, and
// would end with their sign-out.
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import { isAsSealed } from '../disk/version.ts'
import { checksumOf } from '../files/checksum.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { Books } from './books.ts'

type SumsParts = Readonly<{
  books: Books
  /** Of the server itself, in the served root. The operation owns the disk. */
  filesIn(operation: Operation): UserFiles
  report(error: unknown): void
}>

export class Sums {
  readonly #parts: SumsParts
  readonly #waiting: Readonly<{ hash: string; upload: string }>[] = []
  #running: Promise<void> | undefined
  #operation: Operation | undefined
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
    this.#waiting.push({ hash, upload })
    this.#running ??= this.#run()
  }

  /** @returns when nothing is computed any more; the rest is at the next start */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#operation?.abort(new Error('the server ends'))
    await this.#running
  }

  async #run() {
    // What has just arrived is answered first.
    await null
    for (let next = this.#waiting.shift(); next && !this.#isClosed; next = this.#waiting.shift()) {
      const { hash, upload } = next
      await this.#sum(hash, upload).catch((error: unknown) => this.#isClosed || this.#parts.report(error))
    }
    this.#running = undefined
  }

  async #sum(hash: string, upload: string) {
    const { books, filesIn } = this.#parts
    const [line] = await books.arrivals(hash, [upload])
    if (!line) return
    const operation = new Operation()
    this.#operation = operation
    try {
      const file = await filesIn(operation)
        .openForRaw(line.path as Path)
        .catch(ignoringLost)
      // A file that was changed since is not what has arrived.
      if (!file || !isAsSealed(file.entry, line.version)) return
      const sha256 = await checksumOf('sha256', file, { signal: operation.signal })
      const present = await filesIn(operation)
        .look(line.path as Path)
        .catch(ignoringLost)
      if (!present || !isAsSealed(present, line.version) || !books.all().some(([other]) => other === hash)) return
      await books.add(hash, { is: 'sum', upload, sha256 })
    } finally {
      this.#operation = undefined
      await operation.end()
    }
  }
}

function ignoringLost(error: unknown): undefined {
  if (!(error instanceof Failure) || error.code === 'internal') throw error
}
