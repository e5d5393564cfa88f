import type { Refused } from '../api/http.ts'
import { failureOf, type Transport, type UploadJob } from './upload-jobs.ts'

type Listener = {
  progress(job: UploadJob, sent: number): void
  kept(job: UploadJob, bytes: number): void
  /** Without a failure it has succeeded. */
  ended(job: UploadJob, failure?: Refused): void
}

/** The uploads that are being sent. */
export class RunningUploads {
  readonly #transport: Transport
  readonly #listener: Listener
  readonly #controllers = new Map<UploadJob, AbortController>()

  constructor(transport: Transport, listener: Listener) {
    this.#transport = transport
    this.#listener = listener
  }

  get jobs(): ReadonlySet<UploadJob> {
    return new Set(this.#controllers.keys())
  }

  get count(): number {
    return this.#controllers.size
  }

  start(job: UploadJob): void {
    const controller = new AbortController()
    this.#controllers.set(job, controller)
    // After a cancellation it may have been started again: then this is an earlier attempt.
    const isCurrent = () => this.#controllers.get(job) === controller
    const end = (failure?: Refused) => {
      if (!isCurrent()) return
      this.#controllers.delete(job)
      this.#listener.ended(job, failure)
    }
    const progress = (sent: number) => {
      if (isCurrent()) this.#listener.progress(job, sent)
    }
    const kept = (bytes: number) => {
      if (isCurrent()) this.#listener.kept(job, bytes)
    }
    this.#transport(job, { progress, kept, signal: controller.signal }).then(
      () => end(),
      (failure) => end(failureOf(failure)),
    )
  }

  /** Aborts it; nothing more is told about it. */
  stop(job: UploadJob): void {
    this.#controllers.get(job)?.abort()
    this.#controllers.delete(job)
  }
}
