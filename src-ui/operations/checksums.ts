import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import { callInLines } from '../api/lines.ts'
import { OnDemand } from './on-demand.ts'

/** In the order in which they are shown. `label` is the name that tools print; `length` the number of hex digits. */
export const algorithms = [
  { name: 'md5', label: 'MD5', length: 32 },
  { name: 'sha1', label: 'SHA-1', length: 40 },
  { name: 'sha256', label: 'SHA-256', length: 64 },
  { name: 'sha512', label: 'SHA-512', length: 128 },
] as const
export type Algorithm = (typeof algorithms)[number]['name']

/** What the checksum that somebody else published says about the file. */
export type Comparison =
  | { kind: 'empty' }
  /** The text is none of the four checksums. */
  | { kind: 'unknown' }
  | { kind: 'pending'; algorithm: Algorithm }
  | { kind: 'same' | 'different'; algorithm: Algorithm }

/** The checksums of one file, each computed by the server when it is asked for. */
export class Checksums {
  /** Their progress is in percent. */
  readonly all: Readonly<Record<Algorithm, OnDemand<string, number>>>
  /** The text to compare with, as it was typed or pasted. */
  readonly expected = signal('')
  readonly comparison: ReadonlySignal<Comparison> = computed(() => this.#compare())

  /** @param path of the file, decoded */
  constructor(path: string) {
    const sum = (algorithm: Algorithm) =>
      new OnDemand<string, number>(async (signal, onProgress) => {
        const onLine = (line: object) => {
          const { done, total } = line as { done: number; total: number }
          if (total > 0) onProgress(Math.floor((100 * done) / total))
        }
        const { checksums } = await callInLines('GET /api/resources/*', { path, query: { checksum: algorithm }, signal, onLine })
        return checksums?.[algorithm] ?? ''
      })
    this.all = { md5: sum('md5'), sha1: sum('sha1'), sha256: sum('sha256'), sha512: sum('sha512') }
  }

  stop(): void {
    for (const { name } of algorithms) this.all[name].stop()
  }

  /** Compares with a text; the checksum of its length is computed when it is not known yet. */
  async compareWith(text: string): Promise<void> {
    this.expected.value = text
    const algorithm = algorithmOf(text)
    if (algorithm) await this.all[algorithm].run()
  }

  #compare(): Comparison {
    const digits = digitsOf(this.expected.value)
    if (!digits) return { kind: 'empty' }
    const algorithm = algorithmOf(digits)
    if (!algorithm) return { kind: 'unknown' }
    const { value: state } = this.all[algorithm].state
    if (state.kind !== 'done') return { kind: 'pending', algorithm }
    return { kind: state.value === digits ? 'same' : 'different', algorithm }
  }
}

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
