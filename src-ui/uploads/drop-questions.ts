import type { Choice } from '../operations/conflicts.ts'
import type { UploadJob } from './upload-jobs.ts'

/** The questions about names that are taken, by drop: the answers that hold for all of one, and what is not sent before them. */
export class DropQuestions {
  readonly #answers = new Map<number, Choice>()
  readonly #stopped = new Set<number>()
  /** Drops that are being read and may bring names that are taken. */
  readonly #postponed = new Set<number>()
  /** Uploads that ask before anything of their drop is sent. */
  readonly #first = new Set<UploadJob>()

  /** The answer for an upload that nobody need be asked about. */
  answerFor({ drop }: UploadJob): Choice | undefined {
    if (drop === undefined) return undefined
    return this.#stopped.has(drop) ? 'skip' : this.#answers.get(drop)
  }

  /** The answer holds for all of the upload's drop, also for what is not read yet. */
  answerAll({ drop }: UploadJob, choice: Choice): void {
    if (drop !== undefined) this.#answers.set(drop, choice)
  }

  stop(drops: ReadonlySet<number>): void {
    for (const drop of drops) this.#stopped.add(drop)
  }

  postpone(drop: number): void {
    this.#postponed.add(drop)
  }

  release(drop: number): void {
    this.#postponed.delete(drop)
  }

  /** Nothing of the upload's drop is sent before it is answered. */
  begin(job: UploadJob): void {
    if (job.drop !== undefined) this.#first.add(job)
  }

  /** The upload is answered or removed. */
  end(job: UploadJob): void {
    this.#first.delete(job)
  }

  /** Takes the first upload that may be sent out of those that wait. */
  takeNext(waiting: UploadJob[]): UploadJob | undefined {
    const blocked = new Set([...this.#postponed, ...[...this.#first].map(({ drop }) => drop)])
    if (blocked.size === 0) return waiting.shift()
    const index = waiting.findIndex(({ drop }) => drop === undefined || !blocked.has(drop))
    return index < 0 ? undefined : waiting.splice(index, 1)[0]
  }
}
