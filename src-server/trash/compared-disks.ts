// Compares what is known of the trashes with what is there, each disk by itself: one that does not answer hides nothing that others have.
import { orAborted } from '../base/or-aborted.ts'
import type { TrashPlace } from '../disk/disk.ts'
import { byDevice } from '../disk/mounts.ts'

type ComparedParts = Readonly<{
  places(): readonly TrashPlace[]
  /** Compares some places of one disk, one after another. */
  compare(places: readonly TrashPlace[]): Promise<void>
  /** Milliseconds for which a listing waits. */
  longestAwaited: number
}>

/** The comparison of a disk. Times as `performance.now` counts. `nextLook`: until then a listing of much begins none. */
type Comparing = { running: Promise<void> | undefined; since: number; nextLook: number }

/** Of the time that a comparison took, until listings of much begin another one. */
const restFactor = 10

export class ComparedDisks {
  readonly #parts: ComparedParts
  /** By device. */
  readonly #disks = new Map<string, Comparing>()

  constructor(parts: ComparedParts) {
    this.#parts = parts
  }

  /** Waits until all are compared. @param onCompared called with the places of each disk as soon as they are */
  async all(onCompared: (places: readonly TrashPlace[]) => void = () => {}): Promise<void> {
    await Promise.all(this.#byDisk().map(({ disk, places }) => this.#compare(disk, places).then(() => onCompared(places))))
  }

  /** The same, but no disk lets anybody wait for longer than a time after its comparison was begun. */
  async briefly(): Promise<void> {
    const waits = this.#byDisk().map(async ({ disk, places }) => {
      const comparing = this.#compare(disk, places)
      const left = disk.since + this.#parts.longestAwaited - performance.now()
      if (left > 0) await orAborted(comparing, AbortSignal.timeout(Math.ceil(left))).catch(() => {})
    })
    await Promise.all(waits)
  }

  /** Begins what a later listing will have, where there was a rest. */
  begin(): void {
    for (const { disk, places } of this.#byDisk()) if (performance.now() >= disk.nextLook) void this.#compare(disk, places)
  }

  /** By the list of the mounts, which asks no disk. */
  #byDisk(): { disk: Comparing; places: readonly TrashPlace[] }[] {
    return [...byDevice(this.#parts.places(), ({ top }) => top)].map(([device, places]) => {
      const disk = this.#disks.get(device) ?? { running: undefined, since: 0, nextLook: 0 }
      this.#disks.set(device, disk)
      return { disk, places }
    })
  }

  #compare(disk: Comparing, places: readonly TrashPlace[]): Promise<void> {
    if (disk.running) return disk.running
    const begun = performance.now()
    disk.since = begun
    disk.running = this.#parts.compare(places).finally(() => {
      disk.running = undefined
      const now = performance.now()
      disk.nextLook = now + restFactor * (now - begun)
    })
    return disk.running
  }
}
