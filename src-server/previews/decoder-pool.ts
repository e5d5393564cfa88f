import { availableParallelism } from 'node:os'
import { Failure } from '../base/failure.ts'
import { Limiter } from '../base/limiter.ts'
import { type Answer, Decoder, DecoderCrashed, type DecoderLimits, NoDecoder, type Picture, usualLimits } from './decoder.ts'
import type { Task } from './frames.ts'

export type PoolOptions = Readonly<{
  /** How many pictures are decoded at a time. */
  most?: number
  /** Milliseconds after which a decoder without work is ended. */
  idle?: number
  limits?: DecoderLimits
}>

export { NoDecoder }

/** One user decodes two pictures at a time (`api/limits.ts`): the third process is for the others. */
const usualMost = Math.min(4, Math.max(3, availableParallelism()))

/** Milliseconds; each decoder without work holds some 40 MB of its own. */
const usualIdle = 10_000

/** Decoders, started when they are needed and ended when they are not. */
export class DecoderPool {
  readonly #limiter: Limiter
  readonly #idle: number
  readonly #limits: DecoderLimits
  /** Decoders without work, the last used at the end, with the timers that end them. */
  readonly #waiting = new Map<Decoder, NodeJS.Timeout>()
  readonly #working = new Set<Decoder>()
  #isClosed = false

  constructor({ most = usualMost, idle = usualIdle, limits = usualLimits }: PoolOptions = {}) {
    this.#limiter = new Limiter({ inAll: most })
    this.#idle = idle
    this.#limits = limits
  }

  /** The processes that run. */
  get pids(): number[] {
    return [...this.#working, ...this.#waiting.keys()].map(({ pid }) => pid)
  }

  /**
   * Decodes a picture as soon as a decoder is free.
   * @throws Failure('unsupported' | 'tooLarge' | 'busy'), the signal's reason
   */
  run(task: Task, picture: Picture, signal: AbortSignal): Promise<Answer> {
    return this.#limiter.run(async () => {
      try {
        return await this.#once(task, picture, signal)
      } catch (error) {
        if (!(error instanceof DecoderCrashed)) throw error
      }
      // The decoder may have been ended for another reason than this picture, so a new one tries again.
      try {
        return await this.#once(task, picture, signal)
      } catch (error) {
        if (!(error instanceof DecoderCrashed)) throw error
        throw new Failure('unsupported', 'the picture cannot be decoded', { cause: error })
      }
    })
  }

  /** Ends all decoders. */
  close(): void {
    this.#isClosed = true
    for (const timer of this.#waiting.values()) clearTimeout(timer)
    for (const decoder of [...this.#waiting.keys(), ...this.#working]) decoder.close()
    this.#waiting.clear()
  }

  async #once(task: Task, picture: Picture, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted()
    if (this.#isClosed) throw new Failure('busy', 'the server is stopping')
    const decoder = this.#takeWaiting() ?? (await Decoder.start(this.#limits))
    this.#working.add(decoder)
    try {
      return await decoder.run(task, picture, signal)
    } finally {
      this.#working.delete(decoder)
      this.#keep(decoder)
    }
  }

  #takeWaiting(): Decoder | undefined {
    for (const [decoder, timer] of [...this.#waiting].reverse()) {
      clearTimeout(timer)
      this.#waiting.delete(decoder)
      if (decoder.isAlive) return decoder
    }
    return undefined
  }

  #keep(decoder: Decoder) {
    if (!decoder.isAlive) return
    if (this.#isClosed) return decoder.close()
    const end = () => {
      this.#waiting.delete(decoder)
      decoder.close()
    }
    this.#waiting.set(decoder, setTimeout(end, this.#idle).unref())
  }
}
