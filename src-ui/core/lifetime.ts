import { effect } from '@preact/signals-core'

/** How long something is there: what is registered here (effects, listeners, timers, requests) ends with it. */
export class Lifetime {
  readonly #releases: (() => void)[] = []
  readonly #ending = new AbortController()

  /** Aborted at its end. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Calls `release` at its end, in reverse order of registration; at once when it has ended already. */
  onDispose(release: () => void): void {
    if (this.signal.aborted) release()
    else this.#releases.push(release)
  }

  effect(work: () => unknown): void {
    this.onDispose(
      effect(() => {
        const cleanUp = work()
        return typeof cleanUp === 'function' ? (cleanUp as () => void) : undefined
      }),
    )
  }

  /** Adds an event listener that is removed at its end. */
  listen<K extends keyof WindowEventMap>(
    target: Pick<Window, 'addEventListener' | 'removeEventListener'>,
    name: K,
    listener: (event: WindowEventMap[K]) => void,
  ): void {
    // Not with the `signal` option: after a garbage collection Node no longer removes such listeners.
    if (this.signal.aborted) return
    target.addEventListener(name, listener)
    this.onDispose(() => target.removeEventListener(name, listener))
  }

  /** Milliseconds of a clock that only goes forward. */
  now(): number {
    return performance.now()
  }

  /** A timer that is cleared at its end. @param delay milliseconds @returns a function that clears it */
  timeout(work: () => void, delay: number): () => void {
    if (this.signal.aborted) return () => {}
    const clear = () => {
      clearTimeout(timer)
      this.signal.removeEventListener('abort', clear)
    }
    const timer = setTimeout(() => {
      clear()
      work()
    }, delay)
    this.signal.addEventListener('abort', clear)
    return clear
  }

  dispose(): void {
    if (this.signal.aborted) return
    this.#ending.abort()
    for (const release of this.#releases.splice(0).reverse()) release()
  }
}
