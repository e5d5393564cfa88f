import { randomBytes } from 'node:crypto'
import { WorkerPool } from '../base/worker-pool.ts'
import type { BcryptRequest } from './bcrypt-thread.ts'

/** Checks passwords that come from File Browser. Tests replace it. */
export type BcryptEngine = Readonly<{ verify(password: string, hash: string): Promise<boolean> }>

/** Threads; each check is a place among those of passwords, of which there are as many. */
const pool = new WorkerPool<BcryptRequest, boolean>('users/bcrypt-thread.ts', 2)

export const bcryptEngine: BcryptEngine = { verify: (password, hash) => pool.run({ password, hash }) }

/**
 * Hashes that no password matches, whose checks take together as long as one of a cost takes longer than one of another: each step of the
 * cost doubles it, and 2¹² is 2¹⁰ + 2¹⁰ + 2¹¹.
 * @param done the cost of the check that was made; undefined: none was
 */
export function fillers(cost: number, done: number | undefined): string[] {
  if (done === undefined) return [hashOf(cost)]
  return Array.from({ length: Math.max(0, cost - done) }, (_, index) => hashOf(done + index))
}

/** Salt and tag are of the alphabet of bcrypt, which is that of base64url but for its order and two signs. */
function hashOf(cost: number): string {
  const text = randomBytes(40).toString('base64url').replaceAll('-', '.').replaceAll('_', '/')
  return `$2a$${String(cost).padStart(2, '0')}$${text.slice(0, 53)}`
}

/** Whether all of a password counts for bcrypt: of a longer one the rest may be wrong, and must not become a part of it. */
export const isWhole = (password: string): boolean => Buffer.byteLength(password) <= 72
