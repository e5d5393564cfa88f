// What commands have done, by their id, so that one that is given again does nothing more.
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'

/** Milliseconds for which outcomes are kept, and how many. */
const longest = 600_000
const most = 10_000

type Outcome = {
  /** Name and input: an id belongs to one command. */
  readonly text: string
  readonly at: number
  result: Promise<unknown>
  /** Set once the change is what is read. */
  became?: { value: unknown }
}

/** @param became to be called as soon as the change is what is read @returns when it is durable */
type Give<T> = (became: (value: unknown) => void) => Promise<T>

/** Remembers what was committed. A command that was refused, or could not be written, has changed nothing and may be given again. */
export class CommandOutcomes {
  readonly #clock: Clock
  readonly #known = new Map<string, Outcome>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Gives a command, unless it was given under its id before.
   * @param makeDurable called when the change of before is read but was not shown to be durable
   * @throws Failure('invalid') when the id belongs to another command
   */
  once<T>(id: string, text: string, give: Give<T>, makeDurable: () => Promise<void>): Promise<T> {
    const known = this.#known.get(id)
    if (known === undefined) return this.#first(id, text, give)
    if (known.text !== text) return Promise.reject(new Failure('invalid', 'the id belongs to another command'))
    const again = known.result.catch(async (error: unknown) => {
      if (known.became === undefined) throw error
      await makeDurable()
      return known.became.value
    })
    known.result = again
    return again as Promise<T>
  }

  #first<T>(id: string, text: string, give: Give<T>): Promise<T> {
    this.#forgetOld()
    let outcome: Outcome | undefined
    const result = give((value) => {
      if (outcome) outcome.became = { value }
    })
    outcome = { text, at: this.#clock.elapsed(), result }
    this.#known.set(id, outcome)
    result.catch(() => {
      if (outcome?.became === undefined) this.#known.delete(id)
    })
    return result
  }

  #forgetOld() {
    const since = this.#clock.elapsed() - longest
    for (const [id, { at }] of this.#known) {
      if (at >= since && this.#known.size < most) return
      this.#known.delete(id)
    }
  }
}
