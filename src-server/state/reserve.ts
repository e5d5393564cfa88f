// Space beside the state that is given up when its disk is full: else nobody could sign in to delete something.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { isOutOfSpace } from '../base/room.ts'
import { type DiskSystem, writeAllAt } from '../disk/system.ts'

const ownerOnly = 0o600
/** Bytes, at least. A state is written beside the present one, so that as much as it has is needed for a moment. */
const least = 256 * 1024

type ReserveParts = Readonly<{ file: string; system: DiskSystem }>

/** A file of no meaning that can be removed at any time. */
export class Reserve {
  readonly #parts: ReserveParts
  /** Of the file; undefined while it is not known. */
  #bytes: number | undefined

  constructor(parts: ReserveParts) {
    this.#parts = parts
  }

  /**
   * Writes the state, and once more without the reserve when the disk is full. Then the reserve is made again, unless the space is gone.
   * @param bytes how much the state has
   * @throws what `write` throws
   */
  async during(bytes: number, write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      if (!isOutOfSpace(error) || !(await this.#give())) throw error
      await write()
    } finally {
      await this.#keep(bytes).catch(() => {})
    }
  }

  /** @returns whether there was one */
  async #give(): Promise<boolean> {
    this.#bytes = undefined
    const { file, system } = this.#parts
    return system.unlink(file).then(
      () => true,
      () => false,
    )
  }

  /** With room to grow, so that not each change writes it again. */
  async #keep(needed: number): Promise<void> {
    if (this.#bytes !== undefined && this.#bytes >= needed) return
    const bytes = Math.max(least, 2 * needed)
    const { file, system } = this.#parts
    // Never through a link that somebody has put there.
    await system.unlink(file).catch(() => {})
    const fd = await system.open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, ownerOnly)
    try {
      // No file system can store this in less.
      await writeAllAt(system, fd, { chunks: [randomBytes(bytes)], position: 0 })
      this.#bytes = bytes
    } catch (error) {
      // What was written stays: the next time may need just that.
      this.#bytes = undefined
      throw error
    } finally {
      await system.close(fd)
    }
  }
}
