import { randomBytes } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import { type Argon2Engine, type Cost, loadArgon2 } from './argon2-engine.ts'
import { formatHash, parseHash } from './phc.ts'

/** 64 MiB and 3 passes are RFC 9106's recommendation for little memory. One lane, because two hashes run at a time. */
export const passwordCost: Cost = { memory: 65_536, passes: 3, lanes: 1 }

/** Hashes at a time, each of which takes 64 MiB, and how many may wait. */
const usualLimits = { atOnce: 2, waiting: 20 }

/** Seconds; a full queue takes about two. */
const retryAfter = 3

type PasswordParts = {
  cost?: Cost
  /** Loads the engine at the first use, after main.ts has set the folder for native modules. */
  engine?: () => Promise<Argon2Engine>
  limits?: typeof usualLimits
  /** Called with a sentence when the native library cannot be used. */
  report?: (reason: string) => void
}

/** Hashes and verifies passwords, two at a time. Each one is a queue of its own. */
export class Passwords {
  readonly #cost: Cost
  readonly #limits: typeof usualLimits
  readonly #load: () => Promise<Argon2Engine>
  #engine: Promise<Argon2Engine> | undefined
  /** A hash with a random tag: no password matches it, and verifying costs as much as with a real one. */
  readonly #dummy: string
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor({ cost = passwordCost, engine, limits = usualLimits, report = () => {} }: PasswordParts = {}) {
    this.#limits = limits
    this.#cost = cost
    this.#load = engine ?? (() => loadArgon2(report))
    this.#dummy = formatHash({ ...cost, salt: randomBytes(16), tag: randomBytes(32) })
  }

  /** @returns a PHC string @throws Failure('busy') with `retryAfter` when too many wait */
  hash(password: string): Promise<string> {
    return this.#inTurn((engine) => engine.hash(password, this.#cost))
  }

  /**
   * Verifies a password. Always computes a hash: without a valid stored one, a dummy is verified, so that time tells nothing.
   * @throws Failure('busy') with `retryAfter` when too many wait
   */
  async verify(password: string, phc: string | undefined): Promise<boolean> {
    const isReal = phc !== undefined && parseHash(phc) !== undefined
    const isRight = await this.#inTurn((engine) => engine.verify(password, isReal ? phc : this.#dummy))
    return isRight && isReal
  }

  /** Loads the library, so that problems with it are reported at the start and not at the first sign-in. */
  async prepare(): Promise<Argon2Engine['name']> {
    return (await this.#loaded()).name
  }

  #loaded(): Promise<Argon2Engine> {
    this.#engine ??= this.#load()
    return this.#engine
  }

  /** Hashes and verifies at the same cost in another queue, so that those who wait in it do not keep users from signing in. */
  beside(limits: { atOnce: number; waiting: number }): Passwords {
    return new Passwords({ cost: this.#cost, engine: () => this.#loaded(), limits })
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
    if (this.#running < this.#limits.atOnce) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= this.#limits.waiting) throw new Failure('busy', 'too many passwords at once', { retryAfter })
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Passes the slot to the next in the queue, so that a new caller cannot take it first. */
  #next() {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
