// Counts what the folders in the trash hold, one after another, while nobody waits for it.
import type { TrashedItem, TrashedPart } from '../disk/disk.ts'
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
  readonly #waiting = new Set<string>()
  #isCounting = false
  #isClosed = false

  constructor(parts: TrashSizesParts) {
    this.#parts = parts
  }

  /** Counts a folder later. */
  count({ id }: TrashedItem): void {
    this.#waiting.add(id)
    if (!this.#isCounting) void this.#countAll()
  }

  close(): void {
    this.#isClosed = true
    this.#waiting.clear()
  }

  async #countAll() {
    this.#isCounting = true
    for (const id of this.#waiting) {
      this.#waiting.delete(id)
      await this.#countOne(id)
    }
    this.#isCounting = false
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
