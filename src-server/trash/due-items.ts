// Removes what has been kept for its days, on each disk by itself: one that does not answer keeps nothing on others.
import { type Clock, dueAt, isDue } from '../base/clock.ts'
import type { TrashedItem } from '../disk/disk.ts'
import { byDevice } from '../disk/mounts.ts'
import { placeKeyOf } from '../state/trash-records.ts'
import type { Trash } from './trash.ts'

type DueParts = Readonly<{
  trash: Pick<Trash, 'known' | 'isConnected'>
  clock: Clock
  /** For good; what cannot be removed is tried again later. */
  remove(item: TrashedItem): Promise<unknown>
  isClosed(): boolean
}>

const day = 86_400_000

export class DueItems {
  readonly #parts: DueParts
  /** Devices on which items are being removed. */
  readonly #removing = new Set<string>()
  /** By the folder of the trash: when a disk that was not connected is looked at again, as `Clock.elapsed` counts. */
  readonly #away = new Map<string, number>()

  constructor(parts: DueParts) {
    this.#parts = parts
  }

  /** Removes what is older than some days; nothing on a disk that is still at what was due before. */
  async remove(days: number): Promise<void> {
    const { trash, clock } = this.#parts
    const due = [...trash.known()].filter(({ at }) => isDue(clock, at, days * day))
    const byDisk = byDevice(oldestFirst(due, clock), ({ top }) => top)
    await Promise.all([...byDisk].map(([device, items]) => this.#removeOn(device, items)))
  }

  async #removeOn(device: string, due: readonly TrashedItem[]): Promise<void> {
    if (this.#removing.has(device)) return
    this.#removing.add(device)
    const connected = new Set<string>()
    try {
      for (const item of due) {
        if (this.#parts.isClosed()) return
        const place = placeKeyOf(item)
        if (!connected.has(place) && !(await this.#isConnected(item, place))) continue
        connected.add(place)
        await this.#parts.remove(item)
      }
    } finally {
      this.#removing.delete(device)
    }
  }

  /** One look at a disk that is not connected answers for all of its items, for a day. */
  async #isConnected(item: TrashedItem, place: string): Promise<boolean> {
    const { trash, clock } = this.#parts
    if ((this.#away.get(place) ?? 0) > clock.elapsed()) return false
    if (await trash.isConnected(item)) return true
    this.#away.set(place, clock.elapsed() + day)
    return false
  }
}

/** By when they have come into the trash, also where the clock was wrong then. */
export function oldestFirst(items: readonly TrashedItem[], clock: Clock): TrashedItem[] {
  const keyed = items.map((item) => ({ item, since: dueAt(clock, item.at, 0) }))
  return keyed.sort((one, other) => one.since - other.since).map(({ item }) => item)
}
