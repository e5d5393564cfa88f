import { randomBytes } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import { type Argon2Engine, type Cost, loadArgon2 } from './argon2-engine.ts'
import { formatHash, parseHash } from './phc.ts'

/** 64 MiB, 3 passes, one lane: RFC 9106's choice for little memory, with one lane since two hashes run at a time. */
export const passwordCost: Cost = { memory: 65_536, passes: 3, lanes: 1 }

/** Each takes 64 MiB: 20 at once were 322 MB. */
const mostAtOnce = 2
const mostWaiting = 20

/** Seconds; a full queue is worked off in about two. */
const retryAfter = 3

type PasswordParts = {
  cost?: Cost
  /** Where hashes come from; loaded at the first use, after main.ts has said where native parts may be unpacked. */
  engine?: () => Promise<Argon2Engine>
  /** Told, in a sentence, when the native library cannot be used. */
  report?: (reason: string) => void
}

/** Hashes and verifies passwords, two at a time. */
export class Passwords {
  readonly #cost: Cost
  readonly #load: () => Promise<Argon2Engine>
  #engine: Promise<Argon2Engine> | undefined
  /** Never verifies: its tag is random. Costs as much as a real one. */
  readonly #dummy: string
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor({ cost = passwordCost, engine, report = () => {} }: PasswordParts = {}) {
    this.#cost = cost
    this.#load = engine ?? (() => loadArgon2(report))
    this.#dummy = formatHash({ ...cost, salt: randomBytes(16), tag: randomBytes(32) })
  }

  /** @returns a PHC string @throws Failure('busy') with `retryAfter` when too many wait */
  hash(password: string): Promise<string> {
    return this.#inTurn((engine) => engine.hash(password, this.#cost))
  }

  /**
   * Costs a hash in every case: without a stored hash, or with one that is none, a dummy is verified.
   * @throws Failure('busy') with `retryAfter` when too many wait
   */
  async verify(password: string, phc: string | undefined): Promise<boolean> {
    const isReal = phc !== undefined && parseHash(phc) !== undefined
    const isRight = await this.#inTurn((engine) => engine.verify(password, isReal ? phc : this.#dummy))
    return isRight && isReal
  }

  /** Loads the library now, so that a reason not to use it is told at the start and not at the first sign-in. */
  async prepare(): Promise<Argon2Engine['name']> {
    return (await this.#loaded()).name
  }

  #loaded(): Promise<Argon2Engine> {
    this.#engine ??= this.#load()
    return this.#engine
  }

  async #inTurn<T>(work: (engine: Argon2Engine) => Promise<T>): Promise<T> {
    await this.#turn()
    try {
      return await work(await this.#loaded())
    } finally {
      this.#next()
    }
  }

  async #turn(): Promise<void> {
    if (this.#running < mostAtOnce) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= mostWaiting) throw new Failure('busy', 'too many sign-ins at once', { retryAfter })
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Hands the place on, so that nobody who comes in between can take it. */
  #next() {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
