import type { Clock } from '../base/clock.ts'
import type { Operation } from '../base/operation.ts'
import type { State } from './state.ts'
import type { StateData } from './state-data.ts'

/** Milliseconds between two looks at what is running. */
const checkPause = 500

/** The abort reason when the right to something is withdrawn while it is running. */
export const withdrawn = new Error('the right to this was withdrawn')

type IsAllowed = (data: StateData) => boolean

type Entered = { readonly operation: Operation; readonly isAllowed: IsAllowed; cut(): void; seen: StateData }

/** What is running that depends on the state. It ends within a second when a change of the state no longer allows it. */
export class Running {
  readonly #state: Pick<State, 'data'>
  readonly #clock: Clock
  readonly #entered = new Set<Entered>()
  #isWaiting = false

  constructor({ state, clock }: Readonly<{ state: Pick<State, 'data'>; clock: Clock }>) {
    this.#state = state
    this.#clock = clock
  }

  /**
   * Watches over an operation until it ends.
   * @param isAllowed asked again whenever the state has changed
   * @param cut closes the connection when it is no longer allowed
   */
  enter(operation: Operation, isAllowed: IsAllowed, cut: () => void): void {
    const entered = { operation, isAllowed, cut, seen: this.#state.data }
    this.#entered.add(entered)
    operation.own({ close: () => void this.#entered.delete(entered) })
    this.#wait()
  }

  #wait() {
    if (this.#isWaiting || this.#entered.size === 0) return
    this.#isWaiting = true
    this.#clock.after(checkPause, () => {
      this.#isWaiting = false
      this.#check()
      this.#wait()
    })
  }

  #check() {
    const { data } = this.#state
    for (const one of this.#entered) {
      const isUnchanged = one.seen === data
      one.seen = data
      if (isUnchanged || one.isAllowed(data)) continue
      one.operation.abort(withdrawn)
      one.cut()
    }
  }
}
