import type { Clock } from '../base/clock.ts'
import type { Operation } from '../base/operation.ts'
import type { State } from '../state/state.ts'
import type { StateData, StoredLink } from '../state/state-data.ts'
import { targetOf } from './target.ts'

/** Milliseconds between two looks at the links that are in use. */
const checkPause = 500

/** The abort reason when a link is withdrawn. */
const withdrawn = new Error('the link was withdrawn')

type Running = { readonly link: StoredLink; readonly operation: Operation; cut(): void; seen: StateData }

type RunningSharesParts = Readonly<{ state: Pick<State, 'data'>; clock: Clock }>

/**
 * What is going on through public links. It ends within a second when the link is deleted, and when its owner is, or may no longer
 * share or see what is shared. A download of a link that expires meanwhile is sent to its end.
 */
export class RunningShares {
  readonly #state: Pick<State, 'data'>
  readonly #clock: Clock
  readonly #running = new Set<Running>()
  #isWaiting = false

  constructor({ state, clock }: RunningSharesParts) {
    this.#state = state
    this.#clock = clock
  }

  /** Watches over an operation until it ends. @param cut closes the connection when the link is withdrawn */
  enter(link: StoredLink, operation: Operation, cut: () => void): void {
    const running = { link, operation, cut, seen: this.#state.data }
    this.#running.add(running)
    operation.own({ close: () => void this.#running.delete(running) })
    this.#wait()
  }

  #wait() {
    if (this.#isWaiting || this.#running.size === 0) return
    this.#isWaiting = true
    this.#clock.after(checkPause, () => {
      this.#isWaiting = false
      this.#check()
      this.#wait()
    })
  }

  #check() {
    const { data } = this.#state
    for (const one of this.#running) {
      const isUnchanged = one.seen === data
      one.seen = data
      if (isUnchanged || leadsSomewhere(one.link, data)) continue
      one.operation.abort(withdrawn)
      one.cut()
    }
  }
}

/** Whether the link is still there, and its owner may still share what it leads to. A saved file is still the same. */
function leadsSomewhere({ hash }: StoredLink, data: StateData): boolean {
  const present = data.links?.find((link) => link.hash === hash)
  return present !== undefined && targetOf(present, data) !== undefined
}
