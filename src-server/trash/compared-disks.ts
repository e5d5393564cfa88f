// Compares what is known of the trashes with what is there, each disk by itself: one that does not answer hides nothing that others have.
import { orAborted } from '../base/or-aborted.ts'
import { type Path, parentOf, rootPath } from '../base/paths.ts'
import type { TrashPlace } from '../disk/disk.ts'
import { byDevice } from '../disk/mounts.ts'

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

  /** Waits until all are compared. @param onCompared called with the places of each disk as soon as they are */
  async all(onCompared: (places: readonly TrashPlace[]) => void = () => {}): Promise<void> {
    const compared = this.#byDisk().map((disk) => {
      const { places } = disk
      return this.#compare(disk).then(() => onCompared(places))
    })
    await Promise.all(compared)
  }

  /** The same, but no disk lets anybody wait for longer than a time after its comparison was begun. */
  briefly(): Promise<void> {
    return this.at([])
  }

  /** The same, but waits until the disks are compared on which something of some paths of the served root may be, or of what is below. */
  async at(paths: readonly Path[]): Promise<void> {
    const isAsked = mayHaveOf(paths)
    const waits = this.#byDisk().map((disk) => (disk.places.some(isAsked) ? this.#compare(disk) : this.#compareBriefly(disk)))
    await Promise.all(waits)
  }

  /** Begins what a later listing will have, where there was a rest. */
  begin(): void {
    for (const disk of this.#byDisk()) if (!disk.running && performance.now() >= disk.nextLook) void this.#begin(disk)
  }

  /** By the list of the mounts, which asks no disk. */
  #byDisk(): Comparing[] {
    return [...byDevice(this.#parts.places(), ({ top }) => top)].map(([device, places]) => {
      const disk = this.#disks.get(device) ?? { running: undefined, next: undefined, places, since: 0, nextLook: 0 }
      disk.places = places
      this.#disks.set(device, disk)
      return disk
    })
  }

  async #compareBriefly(disk: Comparing): Promise<void> {
    const comparing = this.#compare(disk)
    const left = disk.since + this.#parts.longestAwaited - performance.now()
    if (left > 0) await orAborted(comparing, AbortSignal.timeout(Math.ceil(left))).catch(() => {})
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

/** Whether a trash may have what was at some paths of the served root, or below: it lies above that, or is mounted below. */
function mayHaveOf(paths: readonly Path[]): (place: TrashPlace) => boolean {
  const [asked, above] = [new Set(paths), new Set(paths.flatMap(pathsTo))]
  return ({ topPath }) => above.has(topPath) || pathsTo(topPath).some((path) => asked.has(path))
}

/** A path and all above it. */
const pathsTo = (path: Path): Path[] => (path === rootPath ? [path] : [path, ...pathsTo(parentOf(path))])
