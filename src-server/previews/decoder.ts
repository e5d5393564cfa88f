import * as fs from 'node:fs'
import type { Socket } from 'node:net'
import { Failure } from '../base/failure.ts'
import { frameStart, type Lengths, largestOutput, lengthsIn, lengthsSize, type Refusal, type Task } from './frames.ts'
import { type DecoderProcess, startDecoder } from './start-decoder.ts'

/** A picture that is to be decoded. Its chunks must not change after they were read. */
export type Picture = Readonly<{
  /** Bytes. */
  size: number
  read(range: { signal: AbortSignal }): AsyncIterable<Uint8Array>
}>

/** What a decoder sends: it decodes files of strangers, so nothing of this is trusted. */
export type Answer = Readonly<{ head: Readonly<Record<string, unknown>>; body: Buffer }>

export type DecoderLimits = Readonly<{
  /** Milliseconds of processor time for one picture. */
  time: number
  /** Milliseconds after which the answer for a picture is given up: a busy machine may need them for less processor time. */
  waiting: number
  /** Bytes of memory for one picture, its file included. */
  memory: number
  /** Milliseconds within which a file must be read. */
  reading: number
}>

export const usualLimits: DecoderLimits = { time: 10_000, waiting: 30_000, memory: 512 << 20, reading: 30_000 }

/** Milliseconds that a decoder has to start. */
const longestStart = 30_000
/** Milliseconds between two looks at the memory of a decoder that works. */
const watchInterval = 25
/** Milliseconds that a picture may still take when nobody waits for it: less than a new decoder costs. */
const grace = 500

/** The decoder ended while it decoded a picture: by a fault in its code, or because the system had no memory. */
export class DecoderCrashed extends Error {}

/** This machine cannot decode pictures. */
export class NoDecoder extends Failure {
  constructor(cause: unknown) {
    super('unsupported', 'this server cannot decode pictures', { cause })
  }
}

/** A child process that decodes one picture at a time. */
export class Decoder {
  readonly #process: DecoderProcess
  readonly #limits: DecoderLimits
  readonly #ended: Promise<never>
  #isAlive = true
  #received: Buffer[] = []
  #expects: ((answer: Answer) => void) | undefined

  private constructor(process: DecoderProcess, limits: DecoderLimits) {
    this.#process = process
    this.#limits = limits
    const { child, tasks, answers } = process
    this.#ended = new Promise((_, reject) => {
      const end = () => {
        this.#isAlive = false
        reject(new DecoderCrashed('a decoder of pictures has ended'))
      }
      child.once('exit', end)
      child.once('error', end)
    })
    this.#ended.catch(() => {})
    // A broken pipe means that the decoder has ended, which is noticed by itself.
    for (const stream of [tasks, answers]) stream.on('error', () => {})
    answers.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** @throws NoDecoder */
  static async start(limits: DecoderLimits = usualLimits): Promise<Decoder> {
    const decoder = new Decoder(startDecoder(), limits)
    const { head } = await decoder.#start().catch((cause) => {
      decoder.close()
      throw new NoDecoder(cause)
    })
    if (head.ready === true) return decoder
    decoder.close()
    throw new NoDecoder(new Error(String(head.reason)))
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get pid(): number {
    return this.#process.child.pid ?? 0
  }

  /**
   * Decodes a picture. After any error the decoder has ended. When the signal is aborted, it has a moment to finish.
   * @throws Failure('tooLarge') when that takes too much processor time or memory, Failure('busy') when the file cannot be read in
   *   time or the machine is too busy to decode it, DecoderCrashed
   */
  async run(task: Task, picture: Picture, signal: AbortSignal): Promise<Answer> {
    const stopped = new AbortController()
    const stop = (reason: unknown) => stopped.abort(reason)
    const stopping = rejection(stopped.signal)
    const timers = new Timers(stop)
    const leave = () => timers.set('left', grace, signal.reason)
    signal.addEventListener('abort', leave)
    const watch = setInterval(this.#limitUse(stop), watchInterval)
    this.#keepsRunning(true)
    try {
      signal.throwIfAborted()
      const answer = this.#answer()
      answer.catch(() => {})
      timers.set('reading', this.#limits.reading, new Failure('busy', 'the file is read too slowly', { retryAfter: 10 }))
      await Promise.race([this.#send(task, picture, stopped.signal), answer, stopping])
      timers.clear('reading')
      timers.set('decoding', this.#limits.waiting, new Failure('busy', 'the server is too busy', { retryAfter: 10 }))
      return await Promise.race([answer, stopping])
    } catch (error) {
      this.close()
      throw error
    } finally {
      signal.removeEventListener('abort', leave)
      clearInterval(watch)
      timers.clearAll()
      this.#keepsRunning(false)
    }
  }

  /** Ends the process, also while it decodes. */
  close(): void {
    this.#isAlive = false
    this.#process.child.kill('SIGKILL')
  }

  async #start(): Promise<Answer> {
    const timer = new AbortController()
    const late = setTimeout(() => timer.abort(new Error('a decoder of pictures did not start')), longestStart)
    try {
      return await Promise.race([this.#answer(), rejection(timer.signal)])
    } finally {
      clearTimeout(late)
      this.#keepsRunning(false)
    }
  }

  #answer(): Promise<Answer> {
    return Promise.race([new Promise<Answer>((resolve) => (this.#expects = resolve)), this.#ended])
  }

  async #send(task: Task, picture: Picture, signal: AbortSignal) {
    const { tasks } = this.#process
    tasks.write(frameStart({ task }, picture.size))
    for await (const chunk of picture.read({ signal })) {
      if (!tasks.write(chunk)) await Promise.race([new Promise((resolve) => tasks.once('drain', resolve)), this.#ended])
    }
  }

  #receive(chunk: Buffer) {
    this.#received.push(chunk)
    try {
      const answer = this.#takeAnswer()
      if (answer) this.#expects?.(answer)
    } catch {
      // Not one of our messages: the decoder is no longer our program.
      this.close()
    }
  }

  #takeAnswer(): Answer | undefined {
    const lengths = this.#lengths()
    if (!lengths) return undefined
    const all = lengthsSize + lengths.head + lengths.body
    const count = this.#received.reduce((sum, { length }) => sum + length, 0)
    if (count > all) throw new Error('more than an answer')
    if (count < all) return undefined
    const bytes = Buffer.concat(this.#received)
    this.#received = []
    const start = lengthsSize + lengths.head
    return { head: JSON.parse(bytes.toString('utf8', lengthsSize, start)), body: bytes.subarray(start) }
  }

  #lengths(): Lengths | undefined {
    if ((this.#received[0]?.length ?? 0) < lengthsSize) this.#received = [Buffer.concat(this.#received)]
    const first = this.#received[0] as Buffer
    return first.length < lengthsSize ? undefined : lengthsIn(first, largestOutput)
  }

  /** @returns a check of what a picture uses from now on */
  #limitUse(stop: (reason: Failure) => void): () => void {
    const begun = performance.now()
    const { processor: before = 0 } = measureProcess(this.pid)
    return () => {
      const { memory, processor } = measureProcess(this.pid)
      const time = processor === undefined ? performance.now() - begun : processor - before
      if (memory > this.#limits.memory) stop(new Failure('tooLarge', 'decoding the picture takes too much memory'))
      if (time > this.#limits.time) stop(new Failure('tooLarge', 'decoding the picture takes too long'))
    }
  }

  /** Whether this process waits for the decoder before it ends. */
  #keepsRunning(isNeeded: boolean) {
    const { child, tasks, answers } = this.#process
    for (const handle of [child, tasks as Socket, answers as Socket]) isNeeded ? handle.ref() : handle.unref()
  }
}

/** The refusal in an answer; undefined when it has none. */
export function refusalIn({ head }: Answer): Refusal | undefined {
  const { refusal } = head
  if (typeof refusal !== 'object' || refusal === null) return undefined
  const { code, message } = refusal as Partial<Record<keyof Refusal, unknown>>
  return { code: code === 'tooLarge' ? code : 'unsupported', message: String(message).slice(0, 200) }
}

/** Timers, each of which stops the work with its reason. */
class Timers {
  readonly #stop: (reason: unknown) => void
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(stop: (reason: unknown) => void) {
    this.#stop = stop
  }

  set(name: string, milliseconds: number, reason: unknown) {
    this.#timers.set(
      name,
      setTimeout(() => this.#stop(reason), milliseconds),
    )
  }

  clear(name: string) {
    clearTimeout(this.#timers.get(name))
  }

  clearAll() {
    for (const name of this.#timers.keys()) this.clear(name)
  }
}

/** Rejects with the signal's reason when it is aborted. */
function rejection(signal: AbortSignal): Promise<never> {
  const rejecting = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  rejecting.catch(() => {})
  return rejecting
}

/** Milliseconds in a tick of /proc/PID/stat: USER_HZ is 100 on every Linux that Node runs on. */
const tick = 10

/** What a process uses. */
type ProcessUse = Readonly<{
  /** Bytes that no file has: the mapped executable does not count. 0 where the system does not say. */
  memory: number
  /** Milliseconds of all its threads since it began; undefined where the system does not say. */
  processor: number | undefined
}>

/** From the kernel's figures in /proc. */
export function measureProcess(pid: number): ProcessUse {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(textOf(pid, 'status')) ?? []
  const stat = textOf(pid, 'stat')
  // Counted from the third field: the second, the name, may hold spaces and parentheses.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  const processor = user === undefined || system === undefined ? undefined : (user + system) * tick
  return { memory: Number(kilobytes ?? 0) * 1024, processor }
}

/** @returns '' for a process that has ended, and on other systems than Linux */
function textOf(pid: number, name: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
