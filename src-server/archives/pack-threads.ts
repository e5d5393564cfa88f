import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../base/threads.ts'
import type { PackAnswer, PackRequest } from './pack-thread.ts'

/** Threads of the process: more than processors would only take time from everything else. */
const mostThreads = Math.min(availableParallelism(), 4)
/** Milliseconds without work after which the threads end. */
const idleLife = 10_000

type Job = PackRequest & Readonly<{ resolve(packed: Uint8Array): void; reject(error: Error): void }>

/** The threads that compress for all archives. They start with the first work and end after a while without any. */
class PackThreads {
  readonly #threads = new Set<Worker>()
  readonly #idle: Worker[] = []
  readonly #jobs = new Map<Worker, Job>()
  readonly #waiting: Job[] = []
  #rest: NodeJS.Timeout | undefined

  /** @param request whose content is transferred: the caller must not use it afterwards */
  run(request: PackRequest): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    this.#waiting.push({ ...request, resolve, reject })
    if (this.#idle.length === 0 && this.#threads.size < mostThreads) this.#start()
    this.#next()
    return promise
  }

  #start() {
    const thread = startThread('archives/pack-thread.ts')
    this.#threads.add(thread)
    this.#idle.push(thread)
    thread.on('message', (answer: PackAnswer) => this.#finish(thread, answer))
    thread.once('error', (error) => this.#lose(thread, error))
    thread.once('exit', () => this.#lose(thread, new Error('the thread ended')))
  }

  #next() {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const [thread, job] = [this.#idle.pop() as Worker, this.#waiting.shift() as Job]
      clearTimeout(this.#rest)
      this.#jobs.set(thread, job)
      // Only during work, so that an idle thread does not keep the process running.
      thread.ref()
      const { work, content } = job
      thread.postMessage({ work, content } satisfies PackRequest, [content.buffer as ArrayBuffer])
    }
  }

  #finish(thread: Worker, answer: PackAnswer) {
    const job = this.#jobs.get(thread)
    this.#jobs.delete(thread)
    thread.unref()
    this.#idle.push(thread)
    if ('packed' in answer) job?.resolve(answer.packed)
    else job?.reject(new Error(answer.error))
    this.#next()
    if (this.#jobs.size === 0) this.#rest = setTimeout(() => this.#end(), idleLife).unref()
  }

  #end() {
    if (this.#jobs.size > 0) return
    const threads = [...this.#threads]
    this.#threads.clear()
    this.#idle.length = 0
    for (const thread of threads) void thread.terminate()
  }

  /** What waits is taken by another thread, or by a new one. */
  #lose(thread: Worker, error: Error) {
    if (!this.#threads.delete(thread)) return
    this.#idle.splice(0, this.#idle.length, ...this.#idle.filter((one) => one !== thread))
    this.#jobs.get(thread)?.reject(error)
    this.#jobs.delete(thread)
    if (this.#threads.size > 0) return
    for (const job of this.#waiting.splice(0)) job.reject(error)
  }
}

export const packThreads = new PackThreads()
