import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { Description } from '../../src-server/contract/previews.ts'
import { call } from '../api/http.ts'

/** What a picture may say about itself. */
export type PictureFact = keyof Description

export type FactState<T> =
  | { kind: 'none' }
  | { kind: 'reading' }
  /** Undefined when the picture does not say it, or cannot be decoded. */
  | { kind: 'done'; value: T | undefined }
  | { kind: 'failed'; failure: unknown }

/** The flag that asks for a fact. */
const queries = { resolution: { metadata: 'true' }, camera: { camera: 'true' }, place: { place: 'true' } } as const

/** What one picture says about itself, read by the server when it is asked for: a place is private, and stays in the file until then. */
export class PictureFacts {
  readonly #path: string
  readonly #states: { readonly [F in PictureFact]: Signal<FactState<Description[F]>> } = {
    resolution: signal({ kind: 'none' }),
    camera: signal({ kind: 'none' }),
    place: signal({ kind: 'none' }),
  }
  readonly #reading = new Map<PictureFact, AbortController>()

  /** @param path of the picture, decoded */
  constructor(path: string) {
    this.#path = path
  }

  state<F extends PictureFact>(fact: F): ReadonlySignal<FactState<Description[F]>> {
    return this.#states[fact]
  }

  /** Does nothing while it is read and when it is known. */
  async read<F extends PictureFact>(fact: F): Promise<void> {
    const { kind } = this.#states[fact].peek()
    if (kind === 'reading' || kind === 'done') return
    const controller = new AbortController()
    this.#reading.set(fact, controller)
    this.#states[fact].value = { kind: 'reading' }
    const next = await this.#asked(fact, controller.signal)
    if (this.#reading.get(fact) !== controller) return
    this.#reading.delete(fact)
    this.#states[fact].value = next
  }

  /** Stops the server's work too. */
  cancel(fact: PictureFact): void {
    const controller = this.#reading.get(fact)
    if (!controller) return
    this.#reading.delete(fact)
    this.#states[fact].value = { kind: 'none' }
    controller.abort()
  }

  cancelAll(): void {
    for (const fact of [...this.#reading.keys()]) this.cancel(fact)
  }

  async #asked<F extends PictureFact>(fact: F, signal: AbortSignal): Promise<FactState<Description[F]>> {
    try {
      const query = { ...queries[fact], content: 'false' }
      const described: Description = await call('GET /api/resources/*', { path: this.#path, query, signal })
      return { kind: 'done', value: described[fact] }
    } catch (failure) {
      return { kind: 'failed', failure }
    }
  }
}
