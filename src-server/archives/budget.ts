// How much may come out of one archive: counted before it is written.
import { Failure } from '../base/failure.ts'

export type ArchiveLimits = Readonly<{
  /** Bytes of all files. */
  bytes: number
  /** How many times as large as the archive they may be, beyond the first gibibyte. */
  ratio: number
  /** Files, links and folders. */
  entries: number
}>

/** Below it no archive is too dense. */
const freeOfRatio = 2 ** 30

export class Budget {
  readonly #limits: ArchiveLimits
  readonly #packed: number
  entries = 0
  bytes = 0

  /** @param packed bytes of the archive */
  constructor(limits: ArchiveLimits, packed: number) {
    this.#limits = limits
    this.#packed = packed
  }

  /** @throws Failure('tooLarge') */
  addEntry(): void {
    if (++this.entries > this.#limits.entries)
      throw new Failure('tooLarge', 'the archive has more than {{number}} entries', { about: { number: this.#limits.entries } })
  }

  /** @throws Failure('tooLarge') */
  addBytes(bytes: number): void {
    this.bytes += bytes
    const { bytes: most, ratio } = this.#limits
    if (this.bytes > most || !Number.isSafeInteger(this.bytes))
      throw new Failure('tooLarge', 'the archive holds more than {{number}} GB', { about: { number: Math.floor(most / 1e9) } })
    if (this.bytes > freeOfRatio && this.bytes > ratio * this.#packed)
      throw new Failure('tooLarge', 'the archive holds more than {{number}} times its own size', { about: { number: ratio } })
  }
}
