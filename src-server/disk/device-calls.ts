// Limits the calls for people's files in the thread pool, by device: a file system that hangs does not return them, and each occupies
// a thread that calls for other devices need.
import { Limiter } from '../base/limiter.ts'
import '../base/thread-pool.ts'

/** The threads of the pool, as libuv counts them. */
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4

/** Milliseconds after which a call counts as hanging, and how many of a device may read from then on. */
const [hanging, mostWhileHanging] = [2000, 4]

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

/** Calls of one kind that a device has. */
class DeviceQueue {
  /** Reads go before writes. */
  readonly order: number
  readonly hasRoom: () => boolean
  /** When each of those that run was begun, oldest first. */
  readonly #running = new Map<symbol, number>()

  constructor(order: number, hasRoom: () => boolean) {
    this.order = order
    this.hasRoom = hasRoom
  }

  get isHanging(): boolean {
    const [oldest] = this.#running.values()
    return oldest !== undefined && performance.now() - oldest > hanging
  }

  run<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return pool.run(() => this.#timed(call), { key: this, signal })
  }

  async #timed<T>(call: () => Promise<T>): Promise<T> {
    const key = Symbol('call')
    this.#running.set(key, performance.now())
    try {
      return await call()
    } finally {
      this.#running.delete(key)
    }
  }
}

/** The calls of all devices. */
const pool = new Limiter<DeviceQueue>({ hasRoomFor: ({ key }) => key.hasRoom(), loadOf: ({ order }) => order })

/**
 * The calls of one device. Each kind takes at most half of the threads that the other devices leave, and both two thirds of them, so
 * that any number of devices that hang leaves some.
 */
export class DeviceCalls {
  readonly #read: DeviceQueue = new DeviceQueue(0, () => this.#hasRoomFor(this.#read))
  readonly #write: DeviceQueue = new DeviceQueue(1, () => this.#hasRoomFor(this.#write))

  /** @param signal ends the waiting, but not a call that runs @throws the signal's reason when it is aborted before the call has begun */
  read<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return asking(() => this.#read.run(call, signal), signal)
  }

  /** A call that changes the device. */
  write<T>(call: () => Promise<T>): Promise<T> {
    return this.#write.run(call)
  }

  #hasRoomFor(queue: DeviceQueue): boolean {
    const { running } = pool
    const own = running.of(this.#read) + running.of(this.#write)
    const left = threads - (running.inAll - own)
    const half = Math.max(1, Math.floor(left / 2))
    const most = queue === this.#read && queue.isHanging ? Math.min(half, mostWhileHanging) : half
    return running.of(queue) < most && own < Math.max(1, Math.ceil((left * 2) / 3))
  }
}
