// How much may come out of one archive: counted before it is written.
import { Failure } from '../base/failure.ts'
import type { Settings } from '../contract/settings.ts'

/** See `ArchiveSettings`. */
export type ArchiveLimits = Settings['archives']

/** Below it no archive is too dense. */
const freeOfRatio = 2 ** 30

export const tooMany = (most: number) =>
  new Failure('tooLarge', 'the archive has more than {{number}} entries', { about: { number: most } })

export class Budget {
  readonly #limits: ArchiveLimits
  readonly #packed: number
  entries = 0
  readonly mostEntries: number
  #bytes = 0

  /** @param packed bytes of the archive */
  constructor(limits: ArchiveLimits, packed: number) {
    this.#limits = limits
    this.mostEntries = limits.entries
    this.#packed = packed
  }

  /** @throws Failure('tooLarge') */
  addEntry(): void {
    if (++this.entries > this.mostEntries) throw tooMany(this.mostEntries)
  }

  /** What is read and not written takes time all the same. @throws Failure('tooLarge') */
  readonly addLeftOut = ({ entries, bytes }: Readonly<{ entries: number; bytes: number }>): void => {
    for (let left = entries; left > 0; left--) this.addEntry()
    this.addBytes(bytes)
  }

  /** @throws Failure('tooLarge') */
  addBytes(bytes: number): void {
    this.#bytes += bytes
    const { gigabytes, ratio } = this.#limits
    if (this.#bytes > gigabytes * 1e9 || !Number.isSafeInteger(this.#bytes))
      throw new Failure('tooLarge', 'the archive holds more than {{number}} GB', { about: { number: gigabytes } })
    if (this.#bytes > freeOfRatio && this.#bytes > ratio * this.#packed)
      throw new Failure('tooLarge', 'the archive holds more than {{number}} times its own size', { about: { number: ratio } })
  }
}
