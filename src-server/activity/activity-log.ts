// The activity log, written beside the requests: no request waits for it, and nothing that happens to it stops one.
import { type ActivityEntry, lineOf } from './activity-line.ts'
import { LogFile } from './log-file.ts'

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

/** Bytes that are written at a time. */
const largestBatch = 2 ** 20

export class ActivityLog {
  readonly #file: LogFile
  readonly #report: ActivityLogParts['report']
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #writing: Promise<void> | undefined
  #lost = 0

  constructor({ file, report, largest = usualSize }: ActivityLogParts) {
    this.#file = new LogFile(file, largest)
    this.#report = report
  }

  /** Returns at once. */
  add(entry: ActivityEntry): void {
    const line = Buffer.from(lineOf(entry))
    if (this.#waitingBytes + line.length > mostWaiting) {
      this.#lose(1)
      return
    }
    this.#waiting.push(line)
    this.#waitingBytes += line.length
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  /** @returns when everything so far is written or lost */
  async flush(): Promise<void> {
    await this.#writing
  }

  async close(): Promise<void> {
    await this.flush()
    await this.#file.close()
  }

  async #write() {
    while (this.#waiting.length > 0) {
      const lines = this.#takeBatch()
      try {
        await this.#file.append(Buffer.concat(lines))
        if (this.#lost > 0) this.#report(`the activity log is written again; ${this.#lost} lines are missing`)
        this.#lost = 0
      } catch (error) {
        this.#lose(lines.length, error)
      }
    }
  }

  #takeBatch(): Buffer[] {
    let [count, bytes] = [0, 0]
    while (count < this.#waiting.length && bytes < largestBatch) bytes += this.#waiting[count++]?.length ?? 0
    const lines = this.#waiting.splice(0, count)
    for (const line of lines) this.#waitingBytes -= line.length
    return lines
  }

  /** Said once until lines can be written again. */
  #lose(count: number, error?: unknown) {
    if (this.#lost === 0) this.#report('the activity log cannot be written: lines are lost', error)
    this.#lost += count
  }
}
