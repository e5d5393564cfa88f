import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { type Argon2Hash, formatHash, parseHash } from './phc.ts'

/** The cost parameters of argon2 (RFC 9106). */
export type Cost = Readonly<{
  /** KiB. */
  memory: number
  passes: number
  lanes: number
}>

/** Makes and verifies argon2id hashes as PHC strings, outside the main thread. */
export type Argon2Engine = Readonly<{
  name: 'argon2' | 'node:crypto'
  hash(password: string, cost: Cost): Promise<string>
  /** @param phc a string that parseHash() understands */
  verify(password: string, phc: string): Promise<boolean>
}>

const saltLength = 16
const tagLength = 32

/**
 * Loads the native library, or falls back to argon2id of node:crypto, which makes and verifies the same strings.
 * @param report called with a sentence that says why the native library is not used
 * @param load replaced in tests
 */
export async function loadArgon2(report: (reason: string) => void, load = () => import('argon2')): Promise<Argon2Engine> {
  try {
    return nativeEngine(await load())
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    report(`the native argon2 library cannot be loaded, passwords are hashed by Node: ${reason}`)
    return cryptoEngine
  }
}

function nativeEngine(argon2: typeof import('argon2')): Argon2Engine {
  return {
    name: 'argon2',
    async hash(password, cost) {
      const salt = crypto.randomBytes(saltLength)
      const parameters = { memoryCost: cost.memory, timeCost: cost.passes, parallelism: cost.lanes, hashLength: tagLength, salt }
      const tag = await argon2.hash(password, { ...parameters, type: argon2.argon2id, raw: true })
      return formatHash({ ...cost, salt, tag })
    },
    verify: (password, phc) => argon2.verify(phc, password),
  }
}

const derive = promisify(crypto.argon2)

/** argon2id of node:crypto. */
export const cryptoEngine: Argon2Engine = {
  name: 'node:crypto',
  async hash(password, cost) {
    const salt = crypto.randomBytes(saltLength)
    return formatHash({ ...cost, salt, tag: await tagOf(password, { ...cost, salt }, tagLength) })
  },
  async verify(password, phc) {
    const stored = parseHash(phc)
    if (stored === undefined) return false
    return crypto.timingSafeEqual(stored.tag, await tagOf(password, stored, stored.tag.length))
  },
}

function tagOf(password: string, { memory, passes, lanes, salt }: Omit<Argon2Hash, 'tag'>, length: number): Promise<Buffer> {
  return derive('argon2id', { message: password, nonce: salt, parallelism: lanes, tagLength: length, memory, passes })
}
