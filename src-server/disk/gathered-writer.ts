// Writes what arrives in small chunks to a file in large pieces.
import { type DiskSystem, writeAllAt } from './system.ts'

/** Bytes that are written by one call; 256 KiB and 4 MiB are slower. */
const writeSize = 1 << 20
/** Bytes that all may hold in memory until each writes what it has in smaller pieces, and bytes of those. */
const [mostInMemory, smallWrite] = [32 << 20, 1 << 16]
/** The largest number of chunks in one system call. */
const mostChunks = 1024
/**
 * Bytes after which the content is synced while more is written, so that the last sync is short. What comes in pieces is synced at the end
 * of each, while its client waits.
 */
const [syncEvery, syncEveryOfPieces] = [64 << 20, 16 << 20]
/** Milliseconds after which it is synced nevertheless where somebody wants to know how much is durable: lines may be slow. */
const syncAfter = 30_000
/** Bytes after which that is told, or after that time: it is noted and synced then, beside the content. */
const tellEvery = 64 << 20

/** Bytes that were taken by all and are not written yet. */
let inMemory = 0

type GatheredHow = Readonly<{
  /** Where in the file the first byte goes. */
  position: number
  /** Writes at work at a time while more is received. */
  atOnce: number
  /** Whether it is a piece of what is sent in several. */
  isPiece?: boolean | undefined
  /** Told up to where the content is durable, while more is written; what it throws fails the writing. It needs one write at a time. */
  onSynced?: ((size: number) => Promise<void>) | undefined
}>

/** Writes chunks to a file in large pieces. The chunks must not change until `end` has resolved. */
export class GatheredWriter {
  readonly #system: DiskSystem
  readonly #open: () => Promise<number>
  readonly #atOnce: number
  #position: number
  #chunks: Uint8Array[] = []
  #gathered = 0
  #unsynced = 0
  #syncedAt = performance.now()
  #toldAt = performance.now()
  #told: number
  #hasWritten = false
  #failure: { error: unknown } | undefined
  readonly #writes = new Set<Promise<void>>()
  #sync: Promise<void> | undefined
  readonly #onSynced: GatheredHow['onSynced']
  readonly #syncEvery: number

  /** @param open is called once there is something to write */
  constructor(system: DiskSystem, open: () => Promise<number>, how: GatheredHow) {
    this.#system = system
    this.#open = open
    this.#position = how.position
    this.#told = how.position
    this.#atOnce = how.atOnce
    this.#onSynced = how.onSynced
    this.#syncEvery = how.isPiece ? syncEveryOfPieces : syncEvery
  }

  /** Resolves when more may be added. @throws the error of a write that failed */
  async take(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk)
    this.#gathered += chunk.length
    inMemory += chunk.length
    const enough = inMemory < mostInMemory ? writeSize : smallWrite
    if (this.#gathered < enough && this.#chunks.length < mostChunks) return
    await this.#waitForRoom()
    this.#throwFailure()
    // What is written beside the sync may not be covered by it.
    const written = this.#position
    this.#write()
    this.#syncNowAndThen(written)
  }

  /** Returns all added bytes in one new buffer when none were written yet. */
  takeUnwritten(): Uint8Array | undefined {
    if (this.#hasWritten) return undefined
    const bytes = new Uint8Array(this.#gathered)
    let at = 0
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    this.#drop()
    return bytes
  }

  /** Writes what was gathered and waits for all. @throws the first error */
  async end(): Promise<void> {
    await this.#waitForRoom()
    if (this.#failure) this.#drop()
    else this.#write()
    // Also after an error: nothing must use the handle any more.
    await Promise.all([...this.#writes, this.#sync])
    this.#throwFailure()
  }

  #drop() {
    inMemory -= this.#gathered
    this.#chunks = []
    this.#gathered = 0
  }

  async #waitForRoom() {
    while (this.#writes.size >= this.#atOnce) await Promise.race(this.#writes)
  }

  #write() {
    const [chunks, position, size] = [this.#chunks, this.#position, this.#gathered]
    if (this.#gathered === 0) return
    this.#position += this.#gathered
    this.#unsynced += this.#gathered
    this.#chunks = []
    this.#gathered = 0
    this.#hasWritten = true
    const write = this.#noted(this.#writeAt(chunks, position)).finally(() => {
      inMemory -= size
      this.#writes.delete(write)
    })
    this.#writes.add(write)
  }

  async #writeAt(chunks: readonly Uint8Array[], position: number) {
    await writeAllAt(this.#system, await this.#open(), { chunks, position })
  }

  #syncNowAndThen(written: number) {
    const isLate = this.#onSynced !== undefined && performance.now() - this.#syncedAt >= syncAfter
    if ((this.#unsynced < this.#syncEvery && !isLate) || this.#sync) return
    this.#unsynced = 0
    this.#syncedAt = performance.now()
    this.#sync = this.#noted(this.#syncData(written)).finally(() => {
      this.#sync = undefined
    })
  }

  async #syncData(written: number) {
    await this.#system.syncData(await this.#open())
    const isNews = written - this.#told >= tellEvery || performance.now() - this.#toldAt >= syncAfter
    if (!isNews || this.#failure) return
    this.#told = written
    this.#toldAt = performance.now()
    await this.#onSynced?.(written)
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
