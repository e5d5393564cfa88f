import { Writable } from 'node:stream'
import { Pages, pageLength } from './pages.ts'

/**
 * What a stream of Node puts out, as pages that are read one at a time. The stream waits meanwhile. Short chunks are copied at once, and
 * chunks that somebody waits for: what they refer to is needed no longer.
 */
export class Outlet implements AsyncIterable<Uint8Array> {
  /** Where the stream is piped to. */
  readonly stream: Writable
  readonly #pages = new Pages()
  readonly #copied = new WeakMap<Uint8Array, () => void>()
  #ready: Uint8Array[] = []
  #goOn: (() => void) | undefined
  #end: { error?: unknown } | undefined
  #wake = () => {}

  constructor() {
    this.stream = new Writable({
      highWaterMark: pageLength,
      write: (chunk: Uint8Array, _, done) => this.#take([chunk], done),
      writev: (chunks, done) =>
        this.#take(
          chunks.map(({ chunk }) => chunk as Uint8Array),
          done,
        ),
      final: (done) => {
        this.#ready.push(...this.#pages.flush())
        this.#close({})
        done()
      },
    })
  }

  /** @param chunk that the stream will put out as it is */
  whenCopied(chunk: Uint8Array, call: () => void): void {
    this.#copied.set(chunk, call)
  }

  /** Ends the pages with an error: those that wait are dropped. */
  fail(error: unknown): void {
    this.#ready = []
    this.#close({ error })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const piece = this.#ready.shift()
      if (piece) yield piece
      else if (this.#end && 'error' in this.#end) throw this.#end.error
      else if (this.#end) return
      else await this.#more()
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      this.#goOn?.()
    })
  }

  #take(chunks: readonly Uint8Array[], done: () => void) {
    for (const chunk of chunks) {
      const copied = this.#copied.get(chunk)
      if (!copied && chunk.length >= pageLength) this.#ready.push(...this.#pages.flush(), chunk)
      else this.#ready.push(...this.#pages.add(chunk))
      copied?.()
    }
    if (this.#ready.length === 0) return done()
    this.#goOn = () => {
      this.#goOn = undefined
      done()
    }
    this.#wake()
  }

  #close(end: { error?: unknown }) {
    this.#end ??= end
    this.#wake()
  }
}
