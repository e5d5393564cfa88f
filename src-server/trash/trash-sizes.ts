// Counts what the folders in the trash hold, one after another on each disk, while nobody waits for it.
import { SerialQueue } from '../base/serial-queue.ts'
import type { TrashedItem, TrashedPart } from '../disk/disk.ts'
import { deviceFinder } from '../disk/mounts.ts'
import type { TrashRecords } from '../state/trash-records.ts'

type TrashSizesParts = Readonly<{
  records: TrashRecords
  /** @returns bytes */
  measure(item: TrashedItem): Promise<number>
  onMeasured(item: TrashedItem): void
  report(error: unknown): void
}>

export class TrashSizes {
  readonly #parts: TrashSizesParts
  /** The ids of items by the top of their trash. */
  readonly #waiting = new Map<string, Set<string>>()
  /** By device. */
  readonly #queue = new SerialQueue()
  #isClosed = false

  constructor(parts: TrashSizesParts) {
    this.#parts = parts
  }

  /** Counts a folder later. */
  count({ id, top }: TrashedItem): void {
    const waiting = this.#waiting.get(top)
    waiting?.add(id)
    if (waiting) return
    this.#waiting.set(top, new Set([id]))
    void this.#queue.run(() => this.#countAt(top), deviceFinder()(top))
  }

  close(): void {
    this.#isClosed = true
    for (const waiting of this.#waiting.values()) waiting.clear()
  }

  async #countAt(top: string) {
    const waiting = this.#waiting.get(top) ?? new Set<string>()
    for (const id of waiting) {
      waiting.delete(id)
      await this.#countOne(id)
    }
    this.#waiting.delete(top)
  }

  async #countOne(id: string) {
    const { records, measure, onMeasured, report } = this.#parts
    const item = records.get(id)
    if (!item) return
    try {
      const size = await measure(item)
      if (this.#isClosed) return
      records.measured(id, size)
      const counted = records.get(id)
      if (counted) onMeasured(counted)
    } catch (error) {
      // It was put back, or removed for good, meanwhile.
      if (records.get(id) && !this.#isClosed) report(error)
    }
  }
}

/** Bytes of all files in an item, by what tells its parts. */
export async function sizeOf(walk: (onPart: (part: TrashedPart) => void) => Promise<void>): Promise<number> {
  let bytes = 0
  await walk((part) => {
    bytes += part.bytes
  })
  return bytes
}
