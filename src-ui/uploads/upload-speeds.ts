import { Speed } from '../sending/speed.ts'
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
