import type { Worker } from 'node:worker_threads'
import { startThread } from '../base/threads.ts'
import type { Call, Outcome } from './call-sequence.ts'
import type { SentOutcome } from './sequence-thread.ts'

/** Maximal threads for one device: the file system combines concurrent syncs; more threads are not faster. */
const mostThreads = 3
/** Milliseconds without work after which the threads end: each holds some 5 MB. */
const idleLife = 10_000

type Job = Readonly<{ calls: readonly Call[]; resolve(outcome: Outcome): void; reject(error: unknown): void }>

/**
 * The threads that change one device, separate from those of other devices, which a hanging device must not block. The first starts
 * when two sequences run at the same time; a single upload does not need one.
 */
export class SequenceThreads {
  readonly #threads = new Set<Worker>()
  readonly #idle: Worker[] = []
  readonly #jobs = new Map<Worker, Job>()
  readonly #waiting: Job[] = []
  #starting = 0
  #isBroken = false
  #rest: NodeJS.Timeout | undefined

  /**
   * Runs the calls on a thread.
   * @param isBusy whether other sequences of the device are running
   * @returns undefined when no thread is ready: the calls go through the thread pool
   */
  run(calls: readonly Call[], isBusy: boolean): Promise<Outcome> | undefined {
    if (this.#isBroken) return undefined
    if (this.#idle.length > 0 || (this.#threads.size === mostThreads && this.#starting === 0)) return this.#enqueue(calls)
    if (isBusy && this.#starting === 0 && this.#threads.size < mostThreads) this.#start()
    return undefined
  }

  #enqueue(calls: readonly Call[]): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    this.#waiting.push({ calls, resolve, reject })
    this.#next()
    return promise
  }

  #start() {
    const thread = startThread('disk/sequence-thread.ts')
    this.#threads.add(thread)
    this.#starting++
    let isOnline = false
    thread.once('online', () => {
      isOnline = true
      this.#starting--
      this.#free(thread)
    })
    thread.on('message', (outcome: SentOutcome) => {
      const job = this.#jobs.get(thread)
      this.#jobs.delete(thread)
      thread.unref()
      this.#free(thread)
      job?.resolve(received(outcome))
    })
    thread.once('error', (error) => this.#lose(thread, error))
    thread.once('exit', () => {
      if (!isOnline) this.#starting--
      this.#lose(thread, new Error('the thread ended'))
    })
  }

  #free(thread: Worker) {
    // The thread was terminated meanwhile.
    if (!this.#threads.has(thread)) return
    this.#idle.push(thread)
    this.#next()
    clearTimeout(this.#rest)
    if (this.#jobs.size === 0) this.#rest = setTimeout(() => this.#end(), idleLife).unref()
  }

  #next() {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const [thread, job] = [this.#idle.pop() as Worker, this.#waiting.shift() as Job]
      this.#jobs.set(thread, job)
      // Only during work, so that an idle thread does not keep the process running.
      thread.ref()
      thread.postMessage(job.calls, transferred(job.calls))
    }
  }

  #end() {
    if (this.#jobs.size > 0) return
    const threads = [...this.#threads]
    this.#threads.clear()
    this.#idle.length = 0
    for (const thread of threads) void thread.terminate()
  }

  /** A thread that ends by itself is not replaced: all calls go through the thread pool from then on. */
  #lose(thread: Worker, error: unknown) {
    if (!this.#threads.delete(thread)) return
    this.#isBroken = true
    this.#idle.splice(0, this.#idle.length, ...this.#idle.filter((one) => one !== thread))
    this.#jobs.get(thread)?.reject(error)
    this.#jobs.delete(thread)
    if (this.#threads.size === 0) for (const job of this.#waiting.splice(0)) job.reject(error)
  }
}

/** The buffers that are transferred instead of copied; the caller must not use them afterwards. */
function transferred(calls: readonly Call[]) {
  return calls.flatMap(({ call, args }) => (call === 'write' ? [args[1].buffer as ArrayBuffer] : []))
}

function received({ stats, failed }: SentOutcome): Outcome {
  const known = stats ? { stats } : {}
  if (!failed) return known
  const { message, ...rest } = failed.error
  return { ...known, failed: { index: failed.index, error: Object.assign(new Error(message), rest) } }
}
