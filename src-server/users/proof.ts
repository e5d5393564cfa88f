import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../base/clock.ts'
import { Failure, refusedField } from '../base/failure.ts'
import type { UserFields } from '../contract/users.ts'
import type { StoredUser } from '../state/state-data.ts'
import { storedPermissions } from '../state/user-commands.ts'
import type { Sessions } from './sessions.ts'
import type { Identity, SignIn } from './sign-in.ts'

/** Seconds for which a sign-in, or a right password after it, stands for the person. */
const proofLife = 15 * 60

type ProofParts = Readonly<{
  signIn: Pick<SignIn, 'confirms'>
  sessions: Pick<Sessions, 'prove'>
  clock: Clock
  /** Whether people sign in with a password: without one there is nothing to ask for. */
  hasPasswords: boolean
  me: Pick<Identity, 'user' | 'session'>
  /** The address of the client. */
  address: string
}>

/**
 * What takes over an account needs a fresh proof that the person is there: a session that somebody else got hold of, or a page that
 * was left open, is none.
 */
export class Proof {
  readonly #parts: ProofParts
  #isGiven = false

  constructor(parts: ProofParts) {
    this.#parts = parts
  }

  /** Takes a password that came with a call. @throws Failure('invalid') for a wrong one, Failure('tooMany' | 'busy') */
  async give(password: string | undefined): Promise<void> {
    const { signIn, sessions, me, address } = this.#parts
    if (password === undefined) return
    if (!(await signIn.confirms(me, password, address))) throw refusedField('current_password', 'is wrong')
    await sessions.prove(me.session.id)
    this.#isGiven = true
  }

  /** @throws Failure('forbidden') when neither sign-in nor password is from the last 15 minutes */
  check(): void {
    const { clock, hasPasswords, me } = this.#parts
    const { createdAt, provenAt = createdAt } = me.session
    if (!hasPasswords || this.#isGiven || clock.now() / 1000 - provenAt < proofLife) return
    throw new Failure('forbidden', 'this needs a sign-in, or the right current_password, within the last 15 minutes')
  }
}

/** Whether fields change what a person may do, or the password. */
export function changesRights(before: StoredUser, { password, perm = before.perm, scope, rules, commands }: UserFields): boolean {
  const isOther = <T>(now: T | undefined, then: T) => now !== undefined && !isDeepStrictEqual(now, then)
  return (
    (password !== undefined && password !== '') ||
    isOther(storedPermissions(perm), before.perm) ||
    isOther(scope, before.scope) ||
    isOther(rules, before.rules) ||
    isOther(commands, before.commands)
  )
}
