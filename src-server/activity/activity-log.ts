// The activity log, written beside the requests: no request waits for it, and nothing that happens to it stops one.
import { Log } from '../state/log.ts'
import { type Placed, type ReadFrom, readBackwards } from '../state/read-log.ts'
import { type ActivityEntry, isActivityEntry, lineOf } from './activity-line.ts'

export type { ReadFrom }

/** An entry with its place. */
export type PlacedEntry = Placed<ActivityEntry>

/** The entries of the log and of the files that were turned over: see `readBackwards`. */
export const readActivity = (file: string, from: ReadFrom) => readBackwards(file, isActivityEntry, from)

type ActivityLogParts = Readonly<{
  file: string
  /** Called when lines were lost, and when lines can be written again. */
  report(sentence: string, error?: unknown): void
  /** Bytes of one file. */
  largest?: number
}>

const usualSize = 50 * 2 ** 20

/** Bytes that wait to be written. */
const mostWaiting = 8 * 2 ** 20

export class ActivityLog {
  readonly #log: Log<ActivityEntry>
  readonly #report: ActivityLogParts['report']
  #last: Promise<void> = Promise.resolve()
  #lost = 0

  constructor({ file, report, largest = usualSize }: ActivityLogParts) {
    this.#log = new Log(file, { isEntry: isActivityEntry, lineOf, largest })
    this.#report = report
  }

  /** Returns at once. */
  add(entry: ActivityEntry): void {
    if (this.#log.waitingBytes >= mostWaiting) {
      this.#lose()
      return
    }
    this.#last = this.#log.append(entry).then(
      () => this.#noteWritten(),
      (error: unknown) => this.#lose(error),
    )
  }

  /** @returns when everything so far is written or lost */
  flush(): Promise<void> {
    return this.#last
  }

  async close(): Promise<void> {
    await this.flush()
    await this.#log.close()
  }

  #noteWritten() {
    if (this.#lost > 0) this.#report(`the activity log is written again; ${this.#lost} lines are missing`)
    this.#lost = 0
  }

  /** Said once until lines can be written again. */
  #lose(error?: unknown) {
    if (this.#lost === 0) this.#report('the activity log cannot be written: lines are lost', error)
    this.#lost += 1
  }
}
