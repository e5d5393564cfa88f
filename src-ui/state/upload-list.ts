import { makeJob, type Phase, type Upload, type UploadJob } from './upload-job.ts'
import { count, noTotals, type Totals } from './upload-totals.ts'

/** The uploads of a queue, each in its phase, and their sums: whatever changes a job changes the sums with it. */
export class UploadList {
  #jobs: UploadJob[] = []
  #totals = { ...noTotals }
  #lastId = 0

  get jobs(): readonly UploadJob[] {
    return this.#jobs
  }

  get totals(): Readonly<Totals> {
    return this.#totals
  }

  add(upload: Upload): UploadJob {
    this.#lastId += 1
    const job = makeJob(this.#lastId, upload)
    this.#jobs.push(job)
    count(this.#totals, job, 1)
    return job
  }

  move(job: UploadJob, phase: Phase, loaded = 0): void {
    count(this.#totals, job, -1)
    job.phase = phase
    job.loaded = loaded
    count(this.#totals, job, 1)
  }

  /** @returns what went */
  remove(isGone: (job: UploadJob) => boolean): ReadonlySet<UploadJob> {
    const gone = new Set(this.#jobs.filter(isGone))
    if (gone.size > 0) this.#jobs = this.#jobs.filter((job) => !gone.has(job))
    for (const job of gone) count(this.#totals, job, -1)
    return gone
  }
}
