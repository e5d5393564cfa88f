import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { UserFields } from '../contract/users.ts'
import type { By } from '../state/actor.ts'
import type { State } from '../state/state.ts'
import type { StoredUser } from '../state/state-data.ts'
import type { NewUser } from '../state/user-commands.ts'
import { checkPassword } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import { checkUsername } from './user-names.ts'

type CreateHow = Readonly<{
  /** The scope must be no other user's. */
  isOwnHome?: boolean
  /** Who asks, for the queue of passwords. */
  source?: string
  /** Called before the record is stored. */
  prepare?(): Promise<unknown>
  /** Called when the record could not be stored after `prepare`. */
  undo?(): Promise<unknown>
  /** Who adds the user, unless it is the server itself. */
  by?: By
}>

/**
 * `keep`: the session that a new password does not end. `by`: who changes the user, unless it is the server itself. `formerRules`: the
 * user must have these.
 */
export type ChangeHow = Readonly<{ keep?: string; by?: By; formerRules?: StoredUser['rules'] | undefined }>

type AccountParts = { state: State; passwords: Passwords; clock: Clock }

/** Changes the users in the state. A change is durable when its promise resolves. */
export class Accounts {
  readonly #state: State
  readonly #passwords: Passwords
  readonly #clock: Clock

  constructor({ state, passwords, clock }: AccountParts) {
    this.#state = state
    this.#passwords = passwords
    this.#clock = clock
  }

  /** Adds a user. @throws Failure('invalid') for a bad name or a short password, Failure('conflict') when the name is taken */
  async create(
    user: NewUser & { password: string },
    { isOwnHome = false, source, prepare, undo, by }: CreateHow = {},
  ): Promise<StoredUser> {
    const { password, ...fields } = user
    checkUsername(user.username)
    checkPassword(password)
    await this.#state.checkFree(user, isOwnHome)
    const passwordHash = await this.#passwords.hash(password, source)
    await prepare?.()
    try {
      return await this.#state.run('addUser', { user: fields, passwordHash, isOwnHome, now: this.#now(), ...(by && { by }) })
    } catch (error) {
      // It may be stored all the same, when only the folder of the state could not be synced.
      if ((await this.#state.userNamed(user.username)) === undefined) await undo?.()
      throw error
    }
  }

  /** Adds a user with the hash of a password that nobody has checked. @throws Failure('invalid') for a bad name, Failure('conflict') when it is taken */
  async bring(user: NewUser, passwordHash: string, by?: By): Promise<StoredUser> {
    checkUsername(user.username)
    return this.#state.run('addUser', { user, passwordHash, isOwnHome: false, now: this.#now(), ...(by && { by }) })
  }

  /**
   * Changes fields of a user in one step. A new password ends all sessions except `keep`. Requests with a token that holds the old
   * record are answered with the renewal hint.
   * @throws Failure('notFound'), Failure('conflict') when a new name is taken, Failure('changed') when the rules are others, Failure('forbidden')
   * when no administrator would remain
   */
  async change(id: number, { password, ...fields }: UserFields, { keep, by, formerRules }: ChangeHow = {}): Promise<void> {
    if ((await this.#state.userById(id)) === undefined) throw new Failure('notFound')
    const hash = password === undefined ? undefined : await this.#passwords.hash(password, `user ${id}`)
    const stored = { ...fields, ...(hash !== undefined && { password: hash }) }
    await this.#state.run('changeUser', { id, fields: stored, keep, now: this.#now(), ...(by && { by }), formerRules })
    if (hash !== undefined) await this.#state.forgetPassword(id, (await this.#state.firstAdministrator())?.id === id)
  }

  /**
   * Sets a password and ends all sessions of the user except `keep`.
   * @throws Failure('notFound'), Failure('invalid') for a short password
   */
  async changePassword(id: number, password: string, keep?: string): Promise<void> {
    checkPassword(password)
    await this.change(id, { password }, { ...(keep !== undefined && { keep }) })
  }

  /** Ends all sessions of a user except `keep`. @throws Failure('notFound') */
  signOutEverywhere(userId: number, keep?: string): Promise<void> {
    return this.#state.run('endSessions', { userId, keep })
  }

  /** Removes a user and ends the user's sessions and links. @throws Failure('notFound'), Failure('forbidden') for the last administrator */
  remove(id: number, by?: By): Promise<void> {
    return this.#state.run('removeUser', { id, ...(by && { by }) })
  }

  /** Seconds since the epoch. */
  #now() {
    return this.#clock.now() / 1000
  }
}
