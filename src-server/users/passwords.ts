import { randomBytes } from 'node:crypto'
import { bcryptCost } from '../base/bcrypt-text.ts'
import { Failure } from '../base/failure.ts'
import { Limiter, type Waiting } from '../base/limiter.ts'
import { type Argon2Engine, type Cost, loadArgon2 } from './argon2-engine.ts'
import { type BcryptEngine, bcryptEngine, fillers } from './bcrypt.ts'
import { FairQueue, type WaitingSource } from './fair-queue.ts'
import { formatHash, parseHash } from './phc.ts'

/** 64 MiB and 3 passes are RFC 9106's recommendation for little memory. One lane, because two hashes run at a time. */
export const passwordCost: Cost = { memory: 65_536, passes: 3, lanes: 1 }

/** Hashes at a time, each of which takes 64 MiB, and how many may wait. */
const usualLimits = { atOnce: 2, waiting: 20 }

/** Seconds; a full queue takes about two, and longer while hashes of bcrypt are left: each step of their cost doubles it. */
const retryAfter = (bcrypt: number | undefined) => 3 + (bcrypt === undefined ? 0 : Math.ceil(2 ** (bcrypt - 10)))

type PasswordParts = {
  cost?: Cost
  /** Loads the engine at the first use, after main.ts has set the folder for native modules. */
  engine?: () => Promise<Argon2Engine>
  limits?: typeof usualLimits
  bcrypt?: BcryptEngine
  /** The highest cost of the hashes of bcrypt that are left; undefined: there is none. */
  bcryptCost?: () => Promise<number | undefined>
  /** Called with a sentence when the native library cannot be used. */
  report?: (reason: string) => void
}

/** Hashes and verifies passwords, two at a time. Each one is a queue of its own. */
export class Passwords {
  readonly #cost: Cost
  readonly #load: () => Promise<Argon2Engine>
  #engine: Promise<Argon2Engine> | undefined
  /** A hash with a random tag: no password matches it, and verifying costs as much as with a real one. */
  readonly #dummy: string
  readonly #bcrypt: BcryptEngine
  readonly #bcryptCost: () => Promise<number | undefined>
  readonly #limiter: Limiter<WaitingSource>
  /** As it was at the last check. */
  #highest: number | undefined

  constructor(parts: PasswordParts = {}) {
    const { cost = passwordCost, engine, limits = usualLimits, report = () => {} } = parts
    this.#bcrypt = parts.bcrypt ?? bcryptEngine
    this.#bcryptCost = parts.bcryptCost ?? (async () => undefined)
    const refusal = () => new Failure('busy', 'too many passwords at once', { retryAfter: retryAfter(this.#highest) })
    this.#limiter = new Limiter({ inAll: limits.atOnce, line: new FairQueue<Waiting<WaitingSource>>(limits.waiting), refusal })
    this.#cost = cost
    this.#load = engine ?? (() => loadArgon2(report))
    this.#dummy = formatHash({ ...cost, salt: randomBytes(16), tag: randomBytes(32) })
  }

  /**
   * @param source who asks. When too many wait, the newest of the source that has most waiting is refused
   * @returns a PHC string
   * @throws Failure('busy') with `retryAfter`
   */
  hash(password: string, source: WaitingSource = ''): Promise<string> {
    return this.#inTurn(source, (engine) => engine.hash(password, this.#cost))
  }

  /**
   * Verifies a password. Always computes a hash: without a valid stored one, a dummy is verified, so that time tells nothing.
   * @param stored a PHC string of argon2id, or a hash of bcrypt
   * @param source as in hash()
   * @throws Failure('busy') with `retryAfter`
   */
  async verify(password: string, stored: string | undefined, source: WaitingSource = ''): Promise<boolean> {
    const highest = await this.#bcryptCost()
    this.#highest = highest
    return this.#inTurn(source, async (engine) => {
      const cost = stored === undefined ? undefined : bcryptCost(stored)
      const isReal = stored !== undefined && cost === undefined && parseHash(stored) !== undefined
      if (stored !== undefined && cost !== undefined && (await this.#bcrypt.verify(password, stored))) return true
      const isRight = await engine.verify(password, isReal ? stored : this.#dummy)
      if (isRight && isReal) return true
      // So that time does not tell who came from File Browser: each failed check is one of either kind, the one of bcrypt of the highest cost.
      for (const filler of highest === undefined ? [] : fillers(highest, cost)) await this.#bcrypt.verify(password, filler)
      return false
    })
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
  beside({ bcryptCost, ...limits }: typeof usualLimits & Pick<PasswordParts, 'bcryptCost'>): Passwords {
    const engine = () => this.#loaded()
    return new Passwords({ cost: this.#cost, engine, bcrypt: this.#bcrypt, limits, ...(bcryptCost && { bcryptCost }) })
  }

  #inTurn<T>(key: WaitingSource, work: (engine: Argon2Engine) => Promise<T>): Promise<T> {
    return this.#limiter.run(async () => work(await this.#loaded()), { key })
  }
}
