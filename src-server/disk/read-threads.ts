// Reads small files on a thread: opening, reading and closing each of them through the thread pool takes 0.15 ms of the main thread,
// several times as long as the calls themselves.
import { setImmediate } from 'node:timers/promises'
import { MemoryPool } from '../base/memory-pool.ts'
import { WorkerPool } from '../base/worker-pool.ts'
import { noteAnswer } from './file-systems.ts'
import type { ReadAnswer, ReadRequest } from './read-thread.ts'

/** Files and bytes of one message, so that no caller waits long for others. */
const mostFiles = 64
const mostBytes = 1 << 20

/** After `release` the memory of the content is used for others. */
export type ReadContent = Readonly<{ content: Uint8Array; release(): void }>

type Job = Readonly<{
  address: string
  length: number
  resolve(read: ReadContent | undefined): void
  reject(error: unknown): void
}>

/** For the contents of one message. */
const memory = new MemoryPool(mostBytes / 4, 8)

/** The files of one device are read by a thread of their own, because a device that hangs must not stop others. */
class DeviceReader {
  readonly #device: bigint
  readonly #thread = new WorkerPool<ReadRequest, ReadAnswer>('disk/read-thread.ts', 1)
  readonly #waiting: Job[] = []
  #isReading = false

  constructor(device: bigint) {
    this.#device = device
  }

  read(address: string, length: number): Promise<ReadContent | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadContent | undefined>()
    this.#waiting.push({ address, length, resolve, reject })
    if (!this.#isReading) void this.#readAll()
    return promise
  }

  /** What is asked for while the thread works is its next message. */
  async #readAll() {
    this.#isReading = true
    // What is asked for at the same time goes into one message.
    await setImmediate()
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
    const files = jobs.map(({ address, length }) => ({ address, length }))
    try {
      // One byte more than the files have: see the thread. The system may refuse so much memory.
      const bytes = memory.take(files.reduce((sum, { length }) => sum + length, 1))
      const answer = await this.#thread.run({ files, bytes }, [bytes.buffer as ArrayBuffer])
      // As the thread has measured it: its start and other work of the main thread are not the device's.
      noteAnswer(this.#device, answer.milliseconds)
      settle(jobs, answer)
    } catch (error) {
      for (const { reject } of jobs) reject(error)
    }
  }
}

function settle(jobs: readonly Job[], { bytes, results }: ReadAnswer) {
  let at = 0
  let unreleased = jobs.length
  const release = () => {
    if (--unreleased === 0) memory.giveBack(bytes)
  }
  for (const [index, { length, resolve, reject }] of jobs.entries()) {
    const result = results[index]
    if (typeof result === 'object') reject(Object.assign(new Error(result.message), result))
    else resolve(result ? { content: bytes.subarray(at, at + length), release } : undefined)
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
export function readInThread(device: bigint, address: string, length: number): Promise<ReadContent | undefined> {
  const reader = readers.get(device) ?? new DeviceReader(device)
  readers.set(device, reader)
  return reader.read(address, length)
}
