import type { Worker } from 'node:worker_threads'
import { startThread } from './threads.ts'

/** Milliseconds without work after which the threads end: each holds some 5 MB. */
const idleLife = 10_000

type Job<Request, Answer> = Readonly<{
  request: Request
  transferred: readonly ArrayBuffer[]
  resolve(answer: Answer): void
  reject(error: Error): void
}>

/** Threads that run the same code, one request at a time. They start with the first work and end after a while without any. */
export class WorkerPool<Request, Answer> {
  readonly #file: string
  readonly #most: number
  readonly #threads = new Set<Worker>()
  readonly #idle: Worker[] = []
  readonly #jobs = new Map<Worker, Job<Request, Answer>>()
  readonly #waiting: Job<Request, Answer>[] = []
  #idleTimer: NodeJS.Timeout | undefined

  /** @param file for `startThread`; it answers each message by one message @param most threads at a time */
  constructor(file: string, most: number) {
    this.#file = file
    this.#most = most
  }

  /**
   * @param transferred memory of the request that the thread gets: the caller must not use it afterwards
   * @throws when the thread ends before its answer, or the request cannot be sent
   */
  run(request: Request, transferred: readonly ArrayBuffer[] = []): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting.push({ request, transferred, resolve, reject })
    if (this.#idle.length === 0 && this.#threads.size < this.#most) this.#start()
    this.#next()
    return promise
  }

  #start() {
    const thread = startThread(this.#file)
    this.#threads.add(thread)
    this.#idle.push(thread)
    thread.on('message', (answer: Answer) => this.#finish(thread, answer))
    thread.once('error', (error) => this.#lose(thread, error))
    thread.once('exit', () => this.#lose(thread, new Error('the thread ended')))
  }

  #next() {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const [thread, job] = [this.#idle.pop() as Worker, this.#waiting.shift() as Job<Request, Answer>]
      clearTimeout(this.#idleTimer)
      this.#jobs.set(thread, job)
      // Only during work, so that an idle thread does not keep the process running.
      thread.ref()
      this.#send(thread, job)
    }
  }

  #send(thread: Worker, job: Job<Request, Answer>) {
    try {
      thread.postMessage(job.request, job.transferred)
    } catch (error) {
      // A value that cannot be cloned, or memory that was transferred before. The thread got nothing.
      job.reject(error as Error)
      this.#release(thread)
    }
  }

  #finish(thread: Worker, answer: Answer) {
    this.#jobs.get(thread)?.resolve(answer)
    this.#release(thread)
    this.#next()
  }

  #release(thread: Worker) {
    this.#jobs.delete(thread)
    thread.unref()
    this.#idle.push(thread)
    this.#endWhenIdle()
  }

  #endWhenIdle() {
    clearTimeout(this.#idleTimer)
    if (this.#jobs.size === 0) this.#idleTimer = setTimeout(() => this.#end(), idleLife).unref()
  }

  #end() {
    if (this.#jobs.size > 0) return
    const threads = [...this.#threads]
    this.#threads.clear()
    this.#idle.length = 0
    for (const thread of threads) void thread.terminate()
  }

  /** Fails the job of a thread that ended. What waits has another thread: each end costs one job, so this comes to an end. */
  #lose(thread: Worker, error: Error) {
    if (!this.#threads.delete(thread)) return
    this.#idle.splice(0, this.#idle.length, ...this.#idle.filter((one) => one !== thread))
    const job = this.#jobs.get(thread)
    this.#jobs.delete(thread)
    job?.reject(error)
    if (this.#waiting.length > 0 && this.#idle.length === 0) this.#start()
    this.#next()
    this.#endWhenIdle()
  }
}
