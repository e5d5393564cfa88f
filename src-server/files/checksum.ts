import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { Failure } from '../base/failure.ts'
import { neverAborted } from '../base/or-aborted.ts'
import { startThread } from '../base/threads.ts'
import type { OpenFile } from '../disk/disk.ts'
import type { HashAnswer, HashRequest } from './hash-thread.ts'

const algorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type ChecksumAlgorithm = (typeof algorithms)[number]

/** @throws Failure('invalid') for any other name; case matters */
export function checksumAlgorithm(name: string): ChecksumAlgorithm {
  const found = algorithms.find((algorithm) => algorithm === name)
  if (!found) throw new Failure('invalid', `a checksum is one of ${algorithms.join(', ')}`, { about: { field: 'checksum' } })
  return found
}

/** Bytes up to which a file is hashed at once: a thread would take longer. */
const smallFile = 256 << 10

export type ChecksumHow = Readonly<{
  signal: AbortSignal
  /** Called with the bytes that are hashed so far. */
  onProgress?: (done: number) => void
}>

/** Large files are hashed in a thread of their own. @returns lower-case hex @throws the signal's reason when it is aborted */
export async function checksumOf(
  algorithm: ChecksumAlgorithm,
  file: Pick<OpenFile, 'entry' | 'read' | 'readInto'>,
  { signal, onProgress = () => {} }: ChecksumHow,
): Promise<string> {
  const { size } = file.entry
  const { readInto } = file
  if (size > smallFile) return hashInThread({ size, readInto }, { algorithm, signal, onProgress })
  const hash = createHash(algorithm)
  let done = 0
  for await (const chunk of file.read({ signal }) as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted()
    hash.update(chunk)
    done += chunk.length
    onProgress(done)
  }
  return hash.digest('hex')
}

/** Milliseconds without work after which a thread ends. */
const idleLife = 10_000
/** Bytes of one buffer, and how many of them one checksum has: one is hashed, one waits, and one is filled. */
const [bufferSize, mostBuffers] = [1 << 20, 3]

/** Where the bytes come from: those of an open file. */
type HashSource = Readonly<{
  /** Bytes. */
  size: number
  readInto(buffer: Uint8Array, position: number): Promise<number>
}>

type HashHow = Readonly<{ algorithm: string; signal: AbortSignal; onProgress(done: number): void }>

const idle = new Set<HashThread>()

/** Computes a checksum in a thread, so that other requests do not wait. @returns lower-case hex @throws the signal's reason */
export async function hashInThread(source: HashSource, how: HashHow): Promise<string> {
  const thread = takeThread()
  try {
    return await thread.run(source, how)
  } finally {
    thread.rest()
  }
}

/** A checksum of what comes piece by piece. */
export type StreamHash = Readonly<{
  /** Call it again when the answer, if there is one, has resolved. */
  add(bytes: Uint8Array): Promise<void> | undefined
  digest(): Promise<Buffer>
  /** To be called at the end, whether there is a checksum or not. */
  close(): void
}>

/** How many streams are hashed in threads at a time. Others are hashed at once: more threads than processors make nothing faster. */
const mostStreams = availableParallelism()
let streams = 0

/** @param bytes of the stream, where that is known: a short one is hashed at once */
export function hashStream(algorithm: string, bytes: number | undefined): StreamHash {
  if ((bytes ?? 0) <= smallFile || streams >= mostStreams) {
    const hash = createHash(algorithm)
    return { add: (chunk) => void hash.update(chunk), digest: async () => hash.digest(), close: () => {} }
  }
  streams++
  const thread = takeThread()
  thread.begin(algorithm)
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    streams--
    thread.rest()
  }
  return { add: (chunk) => thread.add(chunk), digest: async () => Buffer.from(await thread.digest(), 'hex'), close }
}

function takeThread(): HashThread {
  const thread = idle.values().next().value ?? new HashThread()
  idle.delete(thread)
  return thread
}

class HashThread {
  readonly #thread: Worker
  readonly #free: Uint8Array[] = []
  #made = 0
  #failure: Error | undefined
  /** The number of the present job. */
  #job = 0
  #digest: string | undefined
  /** What has come and is not sent to the thread yet. */
  #partial: { readonly bytes: Uint8Array; length: number } | undefined
  /** Called when the thread has answered or failed. */
  #wake: () => void = () => {}
  #idleTimer: NodeJS.Timeout | undefined

  constructor() {
    this.#thread = startThread('files/hash-thread.ts')
    this.#thread.on('message', (answer: HashAnswer) => {
      if ('free' in answer) this.#free.push(answer.free)
      // The checksum of a job that was aborted after its last bytes may arrive during the next one.
      else if (answer.job === this.#job) this.#digest = answer.digest
      this.#wake()
    })
    this.#thread.once('error', (cause) => this.#lose(new Failure('internal', 'a checksum failed', { cause })))
    this.#thread.once('exit', () => this.#lose(new Failure('internal', 'the thread of a checksum ended')))
  }

  begin(algorithm: string): void {
    clearTimeout(this.#idleTimer)
    this.#thread.ref()
    this.#job++
    this.#digest = undefined
    if (this.#partial) this.#free.push(this.#partial.bytes)
    this.#partial = undefined
    this.#post({ begin: algorithm })
  }

  /** Copies some bytes. @returns what resolves when it can take more, if that is not at once */
  add(chunk: Uint8Array): Promise<void> | undefined {
    for (let rest = chunk; rest.length > 0; ) {
      const bytes = this.#partial?.bytes ?? this.#freeBuffer()
      if (!bytes) {
        const others = rest
        return this.#until(() => this.#free.length > 0, neverAborted).then(() => this.add(others))
      }
      const partial = this.#partial ?? { bytes, length: 0 }
      const part = rest.subarray(0, bytes.length - partial.length)
      bytes.set(part, partial.length)
      partial.length += part.length
      this.#partial = partial
      if (partial.length === bytes.length) this.#send()
      rest = rest.subarray(part.length)
    }
    return undefined
  }

  /** Of all that was added. @returns lower-case hex */
  async digest(): Promise<string> {
    this.#send()
    return this.#end(neverAborted)
  }

  async run({ size, readInto }: HashSource, { algorithm, signal, onProgress }: HashHow): Promise<string> {
    this.begin(algorithm)
    for (let position = 0; position < size; ) {
      const bytes = await this.#buffer(signal)
      const length = await this.#fill(bytes, () => readInto(bytes.subarray(0, size - position), position))
      this.#post({ bytes, length }, [bytes.buffer as ArrayBuffer])
      position += length
      onProgress(position)
    }
    return this.#end(signal)
  }

  async #end(signal: AbortSignal): Promise<string> {
    this.#post({ end: this.#job })
    await this.#until(() => this.#digest !== undefined, signal)
    return this.#digest ?? ''
  }

  #send() {
    if (!this.#partial) return
    const { bytes, length } = this.#partial
    this.#partial = undefined
    this.#post({ bytes, length }, [bytes.buffer as ArrayBuffer])
  }

  /** It is used again, or ends soon. */
  rest() {
    if (this.#failure) return
    // Only during work, so that an idle thread does not keep the process running.
    this.#thread.unref()
    idle.add(this)
    this.#idleTimer = setTimeout(() => {
      idle.delete(this)
      void this.#thread.terminate()
    }, idleLife).unref()
  }

  async #buffer(signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted()
    const free = this.#freeBuffer()
    if (free) return free
    await this.#until(() => this.#free.length > 0, signal)
    return this.#free.pop() as Uint8Array
  }

  #freeBuffer(): Uint8Array | undefined {
    const free = this.#free.pop()
    if (free || this.#made === mostBuffers) return free
    this.#made++
    return new Uint8Array(bufferSize)
  }

  /** A buffer that could not be filled is free again. */
  async #fill(bytes: Uint8Array, read: () => Promise<number>): Promise<number> {
    try {
      return await read()
    } catch (error) {
      this.#free.push(bytes)
      throw error
    }
  }

  async #until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isSo()) {
      if (this.#failure) throw this.#failure
      signal.throwIfAborted()
      const woken = Promise.withResolvers<void>()
      const wake = () => woken.resolve()
      this.#wake = wake
      signal.addEventListener('abort', wake, { once: true })
      await woken.promise
      signal.removeEventListener('abort', wake)
    }
  }

  #post(request: HashRequest, transferred: ArrayBuffer[] = []) {
    this.#thread.postMessage(request, transferred)
  }

  #lose(failure: Error) {
    this.#failure ??= failure
    idle.delete(this)
    clearTimeout(this.#idleTimer)
    this.#wake()
  }
}
