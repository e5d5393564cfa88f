import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import type { HttpFailure } from '../api/http.ts'
import { callInLines } from '../api/lines.ts'

/** In the order in which they are shown. `label` is the name that tools print; `length` the number of hex digits. */
export const algorithms = [
  { name: 'md5', label: 'MD5', length: 32 },
  { name: 'sha1', label: 'SHA-1', length: 40 },
  { name: 'sha256', label: 'SHA-256', length: 64 },
  { name: 'sha512', label: 'SHA-512', length: 128 },
] as const
export type Algorithm = (typeof algorithms)[number]['name']

export type ChecksumState =
  | { kind: 'none' }
  /** Percent; undefined until the server has begun. */
  | { kind: 'running'; percent: number | undefined }
  | { kind: 'done'; sum: string }
  | { kind: 'failed'; failure: unknown }

/** What the checksum that somebody else published says about the file. */
export type Comparison =
  | { kind: 'empty' }
  /** The text is none of the four checksums. */
  | { kind: 'unknown' }
  | { kind: 'pending'; algorithm: Algorithm }
  | { kind: 'same' | 'different'; algorithm: Algorithm }

/** The checksums of one file, each computed by the server when it is asked for. */
export class Checksums {
  readonly #path: string
  readonly #states = new Map(algorithms.map(({ name }) => [name, signal<ChecksumState>({ kind: 'none' })] as const))
  readonly #running = new Map<Algorithm, AbortController>()
  /** The text to compare with, as it was typed or pasted. */
  readonly expected = signal('')
  readonly comparison: ReadonlySignal<Comparison> = computed(() => this.#compare())

  /** @param path of the file, decoded */
  constructor(path: string) {
    this.#path = path
  }

  state(algorithm: Algorithm): ReadonlySignal<ChecksumState> {
    return this.#states.get(algorithm) as ReadonlySignal<ChecksumState>
  }

  /** Does nothing while it runs and when it is known. */
  async compute(algorithm: Algorithm): Promise<void> {
    const { kind } = this.state(algorithm).peek()
    if (kind === 'running' || kind === 'done') return
    const controller = new AbortController()
    this.#running.set(algorithm, controller)
    this.#set(algorithm, { kind: 'running', percent: undefined })
    const next = await this.#asked(algorithm, controller.signal).catch(
      (failure: HttpFailure) => ({ kind: 'failed', failure }) as const,
    )
    if (this.#running.get(algorithm) !== controller) return
    this.#running.delete(algorithm)
    this.#set(algorithm, next)
  }

  /** Stops the server's work too. */
  cancel(algorithm: Algorithm): void {
    const controller = this.#running.get(algorithm)
    if (!controller) return
    this.#running.delete(algorithm)
    this.#set(algorithm, { kind: 'none' })
    controller.abort()
  }

  cancelAll(): void {
    for (const { name } of algorithms) this.cancel(name)
  }

  /** Compares with a text; the checksum of its length is computed when it is not known yet. */
  async compareWith(text: string): Promise<void> {
    this.expected.value = text
    const algorithm = algorithmOf(text)
    if (algorithm) await this.compute(algorithm)
  }

  #compare(): Comparison {
    const digits = digitsOf(this.expected.value)
    if (!digits) return { kind: 'empty' }
    const algorithm = algorithmOf(digits)
    if (!algorithm) return { kind: 'unknown' }
    const state = this.state(algorithm).value
    if (state.kind !== 'done') return { kind: 'pending', algorithm }
    return { kind: state.sum === digits ? 'same' : 'different', algorithm }
  }

  async #asked(algorithm: Algorithm, signal: AbortSignal): Promise<ChecksumState> {
    const onLine = (line: object) => {
      if (!signal.aborted) this.#set(algorithm, { kind: 'running', percent: percentOf(line as { done: number; total: number }) })
    }
    const { checksums } = await callInLines('GET /api/resources/*', {
      path: this.#path,
      query: { checksum: algorithm },
      signal,
      onLine,
    })
    return { kind: 'done', sum: checksums?.[algorithm] ?? '' }
  }

  #set(algorithm: Algorithm, state: ChecksumState): void {
    const known = this.#states.get(algorithm)
    if (known) known.value = state
  }
}

const percentOf = ({ done, total }: { done: number; total: number }) => (total > 0 ? Math.floor((100 * done) / total) : undefined)

/** Tools print `sum  name`, and some group the digits or use capital letters: only the digits of the first column count. */
function digitsOf(text: string): string {
  const [first = '', ...others] = text.trim().toLowerCase().split(/\s+/)
  const isGrouped = others.length > 0 && others.every((part) => /^[0-9a-f]+$/.test(part) && part.length <= first.length)
  return isGrouped ? [first, ...others].join('') : first
}

function algorithmOf(text: string): Algorithm | undefined {
  const digits = digitsOf(text)
  return /^[0-9a-f]+$/.test(digits) ? algorithms.find(({ length }) => length === digits.length)?.name : undefined
}
