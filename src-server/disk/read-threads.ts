// Reads small files on a thread: opening, reading and closing each of them through the thread pool takes 0.15 ms of the main thread,
// several times as long as the calls themselves.
import { WorkerPool } from '../base/worker-pool.ts'
import { timedOn } from './file-systems.ts'
import type { ReadAnswer, ReadRequest } from './read-thread.ts'

/** Files and bytes of one message, so that no caller waits long for others. */
const mostFiles = 64
const mostBytes = 1 << 20

type Job = Readonly<{
  address: string
  length: number
  resolve(content: Uint8Array | undefined): void
  reject(error: unknown): void
}>

/** The files of one device are read by a thread of their own, because a device that hangs must not stop others. */
class DeviceReader {
  readonly #device: bigint
  readonly #thread = new WorkerPool<ReadRequest, ReadAnswer>('disk/read-thread.ts', 1)
  readonly #waiting: Job[] = []
  #isReading = false

  constructor(device: bigint) {
    this.#device = device
  }

  read(address: string, length: number): Promise<Uint8Array | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined>()
    this.#waiting.push({ address, length, resolve, reject })
    if (!this.#isReading) void this.#readAll()
    return promise
  }

  /** What is asked for while the thread works is its next message. */
  async #readAll() {
    this.#isReading = true
    while (this.#waiting.length > 0) await this.#readSome(this.#next())
    this.#isReading = false
  }

  #next(): Job[] {
    let bytes = 0
    const end = this.#waiting.findIndex(({ length }, index) => {
      bytes += length
      return index > 0 && (index >= mostFiles || bytes > mostBytes)
    })
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
  }

  async #readSome(jobs: readonly Job[]) {
    const request = jobs.map(({ address, length }) => ({ address, length }))
    try {
      settle(jobs, await timedOn(this.#device, () => this.#thread.run(request)))
    } catch (error) {
      for (const { reject } of jobs) reject(error)
    }
  }
}

function settle(jobs: readonly Job[], { bytes, results }: ReadAnswer) {
  let at = 0
  for (const [index, { length, resolve, reject }] of jobs.entries()) {
    const result = results[index]
    if (typeof result === 'object') reject(Object.assign(new Error(result.message), result))
    else resolve(result ? bytes.subarray(at, at + length) : undefined)
    at += length
  }
}

const readers = new Map<bigint, DeviceReader>()

/**
 * Reads a file that is held open, in a thread.
 * @param address opens the file itself, whatever its name refers to by now
 * @param length bytes that it had
 * @returns its content; undefined when it has another length by now
 */
export function readInThread(device: bigint, address: string, length: number): Promise<Uint8Array | undefined> {
  const reader = readers.get(device) ?? new DeviceReader(device)
  readers.set(device, reader)
  return reader.read(address, length)
}
