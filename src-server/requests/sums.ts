// The checksums of what has arrived: computed by the server for itself, one file at a time. A job of the owner could be filled by strangers, and
// would end with their sign-out.
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import { isAsSealed } from '../disk/version.ts'
import { checksumOf } from '../files/checksum.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { LineOf } from '../state/request-store.ts'
import type { Books } from './books.ts'

type SumsParts = Readonly<{
  books: Books
  /** Of the server itself, in the served root. The operation owns the disk. */
  filesIn(operation: Operation): UserFiles
  report(error: unknown): void
}>

export class Sums {
  readonly #parts: SumsParts
  readonly #waiting: Readonly<{ hash: string; line: LineOf<'arrival'> }>[] = []
  #running: Promise<void> | undefined
  #operation: Operation | undefined
  #isClosed = false

  constructor(parts: SumsParts) {
    this.#parts = parts
  }

  /** Computes what is missing. */
  begin(): void {
    for (const [hash, { unsummed }] of this.#parts.books.all()) for (const line of unsummed.values()) this.add(hash, line)
  }

  add(hash: string, line: LineOf<'arrival'>): void {
    this.#waiting.push({ hash, line })
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
      const { hash, line } = next
      await this.#sum(hash, line).catch((error: unknown) => this.#isClosed || this.#parts.report(error))
    }
    this.#running = undefined
  }

  async #sum(hash: string, line: LineOf<'arrival'>) {
    const { books, filesIn } = this.#parts
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
      await books.add(hash, { is: 'sum', upload: line.upload, sha256 })
    } finally {
      this.#operation = undefined
      await operation.end()
    }
  }
}

function ignoringLost(error: unknown): undefined {
  if (!(error instanceof Failure) || error.code === 'internal') throw error
}
