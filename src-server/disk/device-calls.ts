// Limits the calls for people's files in the thread pool, by device: a file system that hangs does not return them, and each occupies
// a thread that calls for other devices need.
import '../base/thread-pool.ts'

/** The threads of the pool, as libuv counts them. */
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4

/** Milliseconds after which a call counts as hanging, and how many of a device may read from then on. */
const [hanging, mostWhileHanging] = [2000, 4]

/** The calls of all devices that run. */
let inPool = 0

/** Milliseconds after which work waits for its disk: a server that is busy answers sooner. */
const longWait = 1500

/** What runs or waits for somebody who can leave, oldest first. */
const asked = new Map<symbol, Readonly<{ signal: AbortSignal; since: number }>>()

/** Whether the work that a signal stops has waited long for one answer of a disk. */
export function waitsForDisk(signal: AbortSignal): boolean {
  const latest = performance.now() - longWait
  for (const { signal: of, since } of asked.values()) {
    if (since > latest) return false
    if (of === signal) return true
  }
  return false
}

/** Counts as waiting for a disk until the answer has come. */
export async function asking<T>(answer: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer()
  const key = Symbol('asked')
  asked.set(key, { signal, since: performance.now() })
  try {
    return await answer()
  } finally {
    asked.delete(key)
  }
}

type Kind = 'read' | 'write'
type Waiting = { begin(): void }

/** Calls of one kind that run and that wait. */
class Lane {
  /** When each of them was begun, oldest first. */
  readonly running = new Map<symbol, number>()
  readonly waiting = new Set<Waiting>()

  get isHanging(): boolean {
    const [oldest] = this.running.values()
    return oldest !== undefined && performance.now() - oldest > hanging
  }
}

/**
 * The calls of one device. Each kind takes at most half of the threads that the other devices leave, and both two thirds of them, so
 * that any number of devices that hang leaves some.
 */
export class DeviceCalls {
  readonly #lanes = { read: new Lane(), write: new Lane() }

  /** @param signal ends the waiting, but not a call that runs @throws the signal's reason when it is aborted while waiting */
  read<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return asking(() => this.#run('read', call, signal), signal)
  }

  /** A call that changes the device. */
  write<T>(call: () => Promise<T>): Promise<T> {
    return this.#run('write', call)
  }

  async #run<T>(kind: Kind, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const key = Symbol(kind)
    if (this.#lanes[kind].waiting.size === 0 && this.#hasRoomFor(kind)) this.#begin(kind, key)
    else await this.#wait(kind, key, signal)
    try {
      return await call()
    } finally {
      this.#lanes[kind].running.delete(key)
      inPool--
      this.#beginNext('read')
      this.#beginNext('write')
    }
  }

  #begin(kind: Kind, key: symbol) {
    this.#lanes[kind].running.set(key, performance.now())
    inPool++
  }

  #hasRoomFor(kind: Kind): boolean {
    const { read, write } = this.#lanes
    const own = read.running.size + write.running.size
    const left = threads - (inPool - own)
    const half = Math.max(1, Math.floor(left / 2))
    const most = kind === 'read' && read.isHanging ? Math.min(half, mostWhileHanging) : half
    return this.#lanes[kind].running.size < most && own < Math.max(1, Math.ceil((left * 2) / 3))
  }

  /** A call waits only while another one of its device runs, whose end begins it. */
  #beginNext(kind: Kind) {
    for (const next of this.#lanes[kind].waiting) {
      if (!this.#hasRoomFor(kind)) return
      next.begin()
    }
  }

  #wait(kind: Kind, key: symbol, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const { waiting } = this.#lanes[kind]
      const leave = () => {
        waiting.delete(own)
        signal?.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        leave()
        reject(signal?.reason)
      }
      const own = {
        begin: () => {
          leave()
          this.#begin(kind, key)
          resolve()
        },
      }
      waiting.add(own)
      signal?.addEventListener('abort', giveUp)
    })
  }
}
