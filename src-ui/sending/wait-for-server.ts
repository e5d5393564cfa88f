import { call } from '../api/http.ts'
import type { Lifetime } from '../core/lifetime.ts'

/** Milliseconds before the server is asked whether it is back, and the longest pause between two such questions. */
const [firstPause, longestPause] = [1000, 10_000]

/** Waits, after uploads were lost, until the server answers. */
export class ServerWait {
  readonly #life: Lifetime
  #pause = firstPause
  #isWaiting = false
  #endPause: (() => void) | undefined

  constructor(life: Lifetime) {
    this.#life = life
    if (typeof window !== 'undefined') life.listen(window, 'online', () => this.#endPause?.())
  }

  /**
   * Calls `back` when the server answers, unless it waits already. Pauses become longer until `reset`, because a server may answer
   * and be too busy to take anything.
   * @param back is told whether the server could not be reached in between
   */
  async begin(back: (wasAway: boolean) => void): Promise<void> {
    if (this.#isWaiting) return
    this.#isWaiting = true
    const { signal } = this.#life
    const isThere = () =>
      call('GET /health', { signal, isBackground: true }).then(
        () => true,
        () => false,
      )
    for (let wasAway = false; !signal.aborted; wasAway = true) {
      await this.#passPause()
      if (!(await isThere())) continue
      this.#isWaiting = false
      return back(wasAway)
    }
  }

  /** Something has arrived at the server. */
  reset(): void {
    this.#pause = firstPause
  }

  #passPause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stopTimer = this.#life.timeout(resolve, this.#pause)
    this.#pause = Math.min(longestPause, this.#pause * 2)
    this.#endPause = () => {
      stopTimer()
      resolve()
    }
    return promise
  }
}
