import { type DiskSystem, writeAllAt } from './system.ts'

/** Bytes that are written by one call; 256 KiB and 4 MiB are slower. */
const writeSize = 1 << 20
/** As many chunks as the system takes in one call. */
const mostChunks = 1024
/** Bytes after which the content is synced while more is written, so that the last sync is short. */
const syncEvery = 64 << 20

/** Writes chunks to a file in large pieces. The chunks must not change until `end` has resolved. */
export class GatheredWriter {
  readonly #system: DiskSystem
  readonly #fd: number
  readonly #atOnce: number
  #position: number
  #chunks: Uint8Array[] = []
  #gathered = 0
  #unsynced = 0
  #failure: { error: unknown } | undefined
  readonly #writes = new Set<Promise<void>>()
  #sync: Promise<void> | undefined

  /** @param how.position where in the file the first byte goes; `atOnce`: writes at work at a time while more is received */
  constructor(system: DiskSystem, fd: number, how: { position: number; atOnce: number }) {
    this.#system = system
    this.#fd = fd
    this.#position = how.position
    this.#atOnce = how.atOnce
  }

  /** Resolves when there is room for more. @throws the error of a write that failed */
  async take(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk)
    this.#gathered += chunk.length
    if (this.#gathered < writeSize && this.#chunks.length < mostChunks) return
    await this.#waitForRoom()
    this.#throwFailure()
    this.#write()
    this.#syncNowAndThen()
  }

  /** Writes what was gathered and waits for all. @throws the first error */
  async end(): Promise<void> {
    await this.#waitForRoom()
    if (!this.#failure) this.#write()
    // Also after an error: nothing must use the handle any more.
    await Promise.all([...this.#writes, this.#sync])
    this.#throwFailure()
  }

  async #waitForRoom() {
    while (this.#writes.size >= this.#atOnce) await Promise.race(this.#writes)
  }

  #write() {
    const [chunks, position] = [this.#chunks, this.#position]
    if (this.#gathered === 0) return
    this.#position += this.#gathered
    this.#unsynced += this.#gathered
    this.#chunks = []
    this.#gathered = 0
    const write = this.#noted(writeAllAt(this.#system, this.#fd, { chunks, position })).finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }

  #syncNowAndThen() {
    if (this.#unsynced < syncEvery || this.#sync) return
    this.#unsynced = 0
    this.#sync = this.#noted(this.#system.syncData(this.#fd)).finally(() => {
      this.#sync = undefined
    })
  }

  async #noted(call: Promise<void>) {
    try {
      await call
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  #throwFailure() {
    if (this.#failure) throw this.#failure.error
  }
}
