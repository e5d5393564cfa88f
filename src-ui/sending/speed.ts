/** Milliseconds of the past that count: long enough for a steady number, short enough to follow the network. */
const window = 5000
/** Milliseconds that must be known before a speed is shown. */
const leastKnown = 1000

/** The speed of a transfer, from the bytes that were sent so far. */
export class Speed {
  #samples: { at: number; bytes: number }[] = []

  /** @param at milliseconds of a clock that only goes forward @param bytes sent so far; fewer than before begins anew */
  note(at: number, bytes: number): void {
    const last = this.#samples.at(-1)
    if (last && bytes < last.bytes) this.#samples = []
    this.#samples.push({ at, bytes })
    // The last sample before the window is its beginning.
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? at) <= at - window) this.#samples.shift()
  }

  /** Bytes per second; undefined while too little is known. */
  get value(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last || last.at - first.at < leastKnown) return undefined
    return (1000 * (last.bytes - first.bytes)) / (last.at - first.at)
  }

  /** Seconds that `bytes` more take; undefined while that is unknown. */
  timeFor(bytes: number): number | undefined {
    const { value } = this
    return value ? bytes / value : undefined
  }

  reset(): void {
    this.#samples = []
  }
}
