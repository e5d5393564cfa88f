// What a kill has interrupted in the trashes is ended, once in each place.
import type { TidyPart, TrashPlace } from '../disk/disk.ts'
import { placeKeyOf } from '../state/trash-records.ts'

type TidiedParts = Readonly<{
  /** See `Disk.tidyTrash`. */
  tidy(place: TrashPlace, part: TidyPart): Promise<boolean>
  /** Called when something cannot be ended. */
  report(error: unknown): void
  /** Of the server: what is being removed for good then is removed after the next start. */
  ended: AbortSignal
}>

/**
 * The work at a place. `isMissing`: there was none, so that it is tried again: its disk may be connected later. Not so where something
 * is put into it now (`isUsed`): that would be taken for what a kill has left.
 */
type Tidying = { done: Promise<void>; isMissing: boolean; isUsed: boolean }

export class TidiedPlaces {
  readonly #parts: TidiedParts
  readonly #tidied = new Map<string, Tidying>()
  readonly #purges = new Set<Promise<unknown>>()

  constructor(parts: TidiedParts) {
    this.#parts = parts
  }

  /** Waits until nothing that was put into a trash, or put back, is half done there. @throws what could not be ended */
  tidy(place: TrashPlace): Promise<void> {
    return this.#tidying(place).done
  }

  /** The same before something is put there. What cannot be ended keeps nobody from that. */
  async use(place: TrashPlace): Promise<void> {
    for (let isLast = false; !isLast; ) {
      const tidying = this.#tidying(place)
      await tidying.done.catch(() => {})
      isLast = this.#tidied.get(placeKeyOf(place)) === tidying
      if (isLast) tidying.isUsed = true
    }
  }

  /** Waits until nothing is at work, after the server has ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#purges])
  }

  #tidying(place: TrashPlace): Tidying {
    const known = this.#tidied.get(placeKeyOf(place))
    if (known && !(known.isMissing && !known.isUsed)) return known
    const { tidy, report } = this.#parts
    const done = tidy(place, 'changes')
      .then((isFound) => {
        tidying.isMissing = !isFound
      })
      .finally(() => tidying.isMissing || this.#purge(place))
    const tidying: Tidying = { done, isMissing: false, isUsed: false }
    this.#tidied.set(placeKeyOf(place), tidying)
    done.catch(report)
    return tidying
  }

  /** Nobody waits for it: a folder may hold very much. */
  #purge(place: TrashPlace) {
    const { tidy, report, ended } = this.#parts
    const purge = tidy(place, 'purges')
      .catch((error: unknown) => {
        if (!ended.aborted) report(error)
      })
      .finally(() => this.#purges.delete(purge))
    this.#purges.add(purge)
  }
}
