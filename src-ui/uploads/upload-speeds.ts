import type { Totals, UploadJob } from './upload-jobs.ts'

/** How fast uploads are sent. */
export type Measured = {
  /** Bytes per second; undefined while too little is known. */
  speed: number | undefined
  /** The same of each upload that is being sent, by its id. */
  speeds: ReadonlyMap<number, number>
  /** Seconds until everything is sent; undefined while that is unknown. */
  timeLeft: number | undefined
}

type Measurable = Readonly<{ sending: ReadonlySet<UploadJob>; totals: Readonly<Totals>; isOpen: boolean }>

/** Whether nothing is sent although something is to be sent: names are asked about, the person pauses, or the server is away. */
export const isResting = ({ sending, waiting, asking }: Readonly<Totals>): boolean => sending === 0 && waiting + asking > 0

/** The speed of all uploads together, and of each one. */
export class UploadSpeeds {
  readonly #all = new Speed()
  readonly #each = new Map<UploadJob, Speed>()

  /** Is to be called again and again while uploads are sent. @param now milliseconds of a clock that only goes forward */
  measure(now: number, { sending, totals, isOpen }: Measurable): Measured {
    // After a rest it is measured anew: the time of a question is no slow network.
    if (isOpen && !isResting(totals)) this.#all.note(now, totals.loaded - totals.found)
    else this.#all.reset()
    for (const job of this.#each.keys()) if (!sending.has(job)) this.#each.delete(job)
    const speeds = new Map<number, number>()
    for (const job of sending) {
      const speed = this.#each.get(job) ?? new Speed()
      this.#each.set(job, speed)
      speed.note(now, job.loaded - job.found)
      if (speed.value !== undefined) speeds.set(job.id, speed.value)
    }
    return { speed: this.#all.value, speeds, timeLeft: this.#all.timeFor(totals.size - totals.loaded) }
  }
}

/** Milliseconds of the past that count: long enough for a steady number, short enough to follow the network. */
const window = 5000
/** Milliseconds that must be known before a speed is shown. */
const leastKnown = 1000

/** The speed of a transfer, from the bytes that were sent so far. */
export class Speed {
  #samples: { at: number; bytes: number }[] = []

  /** @param at milliseconds of a clock that only goes forward @param bytes sent so far; fewer than before begins anew */
  note(at: number, bytes: number): void {
    const last = this.#samples.at(-1)
    if (last && bytes < last.bytes) this.#samples = []
    this.#samples.push({ at, bytes })
    // The last sample before the window is its beginning.
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? at) <= at - window) this.#samples.shift()
  }

  /** Bytes per second; undefined while too little is known. */
  get value(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last || last.at - first.at < leastKnown) return undefined
    return (1000 * (last.bytes - first.bytes)) / (last.at - first.at)
  }

  /** Seconds that `bytes` more take; undefined while that is unknown. */
  timeFor(bytes: number): number | undefined {
    const { value } = this
    return value ? bytes / value : undefined
  }

  reset(): void {
    this.#samples = []
  }
}
