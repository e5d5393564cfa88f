// Compares what is known of the trashes with what is there, each disk by itself: one that does not answer hides nothing that others have.
import { orAborted } from '../base/or-aborted.ts'
import type { TrashPlace } from '../disk/disk.ts'
import { deviceFinder } from '../disk/mounts.ts'

type ComparedParts = Readonly<{
  places(): readonly TrashPlace[]
  /** Compares some places of one disk, one after another. */
  compare(places: readonly TrashPlace[]): Promise<void>
  /** Milliseconds for which a listing waits. */
  longestAwaited: number
}>

/**
 * The comparison of a disk. Times as `performance.now` counts. `next`: the one after it, `places`: what that looks at, `nextLook`: until
 * then a listing of much begins none.
 */
type Comparing = {
  running: Promise<void> | undefined
  next: Promise<void> | undefined
  places: readonly TrashPlace[]
  since: number
  nextLook: number
}

/** Of the time that a comparison took, until listings of much begin another one. */
const restFactor = 10

export class ComparedDisks {
  readonly #parts: ComparedParts
  /** By device. */
  readonly #disks = new Map<string, Comparing>()

  constructor(parts: ComparedParts) {
    this.#parts = parts
  }

  /** Waits until all are compared. */
  async all(): Promise<void> {
    await Promise.all(this.#byDisk().map((disk) => this.#compare(disk)))
  }

  /** The same, but no disk lets anybody wait for longer than a time after its comparison was begun. */
  async briefly(): Promise<void> {
    const waits = this.#byDisk().map(async (disk) => {
      const comparing = this.#compare(disk)
      const left = disk.since + this.#parts.longestAwaited - performance.now()
      if (left > 0) await orAborted(comparing, AbortSignal.timeout(Math.ceil(left))).catch(() => {})
    })
    await Promise.all(waits)
  }

  /** Begins what a later listing will have, where there was a rest. */
  begin(): void {
    for (const disk of this.#byDisk()) if (!disk.running && performance.now() >= disk.nextLook) void this.#begin(disk)
  }

  /** By the list of the mounts, which asks no disk. */
  #byDisk(): Comparing[] {
    const deviceOf = deviceFinder()
    return [...Map.groupBy(this.#parts.places(), ({ top }) => deviceOf(top))].map(([device, places]) => {
      const disk = this.#disks.get(device) ?? { running: undefined, next: undefined, places, since: 0, nextLook: 0 }
      disk.places = places
      this.#disks.set(device, disk)
      return disk
    })
  }

  /** One that runs may have read what has changed before this call: the calls of its time share another one, after it. */
  #compare(disk: Comparing): Promise<void> {
    if (!disk.running) return this.#begin(disk)
    disk.next ??= disk.running
      .catch(() => {})
      .then(() => {
        disk.next = undefined
        return disk.running ?? this.#begin(disk)
      })
    return disk.next
  }

  #begin(disk: Comparing): Promise<void> {
    const begun = performance.now()
    disk.since = begun
    disk.running = this.#parts.compare(disk.places).finally(() => {
      disk.running = undefined
      const now = performance.now()
      disk.nextLook = now + restFactor * (now - begun)
    })
    return disk.running
  }
}
