import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { UserFields } from '../contract/users.ts'
import type { State } from '../state/state.ts'
import type { StateData, StateDraft, StoredSettings, StoredUser, UserDraft } from '../state/state-data.ts'
import { isSameHome } from './home-folder.ts'
import { checkPassword } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import { endSessions } from './sessions.ts'
import { type NewUser, newRecord, storedPermissions } from './user.ts'
import { checkUsername, foldedUsername } from './user-names.ts'

/** Every request looks through them, and every change writes them. */
const mostUsers = 1000

type CreateHow = Readonly<{
  /** The scope must be no other user's. */
  isOwnHome?: boolean
  /** Who asks, for the queue of passwords. */
  source?: string
  /** Called before the record is stored. */
  prepare?(): Promise<unknown>
  /** Called when the record could not be stored after `prepare`. */
  undo?(): Promise<unknown>
}>

type AccountParts = { state: State; passwords: Passwords; clock: Clock }

/** The users in the state. A change is durable when its promise resolves. */
export class Accounts {
  readonly #state: State
  readonly #passwords: Passwords
  readonly #clock: Clock

  constructor({ state, passwords, clock }: AccountParts) {
    this.#state = state
    this.#passwords = passwords
    this.#clock = clock
  }

  /** The settings of the server. */
  get settings(): StoredSettings {
    return this.#state.data.settings
  }

  /** All users. */
  all(): readonly Readonly<StoredUser>[] {
    return this.#state.data.users
  }

  /** The user with an id. */
  byId(id: number): StoredUser | undefined {
    return this.#state.data.users.find((user) => user.id === id)
  }

  /** The user with exactly this name: case and spaces count. */
  byName(name: string): StoredUser | undefined {
    return this.#state.data.users.find((user) => user.username === name)
  }

  /** The administrator with the lowest id, as whom everybody acts with noauth. */
  firstAdministrator(): StoredUser | undefined {
    return this.#state.data.users.filter((user) => user.perm.admin).toSorted((one, other) => one.id - other.id)[0]
  }

  /** Adds a user. @throws Failure('invalid') for a bad name or a short password, Failure('conflict') when the name is taken */
  async create(user: NewUser, { isOwnHome = false, source, prepare, undo }: CreateHow = {}): Promise<StoredUser> {
    checkUsername(user.username)
    checkPassword(user.password)
    checkFree(this.#state.data, user, isOwnHome)
    const passwordHash = await this.#passwords.hash(user.password, source)
    await prepare?.()
    try {
      return await this.#state.change('other', (draft) => {
        // Checked again: another request may have taken name and folder while the password was hashed.
        checkFree(draft, user, isOwnHome)
        return this.#add(draft, user, passwordHash)
      })
    } catch (error) {
      await undo?.()
      throw error
    }
  }

  /** How many more users there may be. */
  room(): number {
    return mostUsers - this.#state.data.users.length
  }

  /**
   * Changes fields of a user in one step. A new password ends all sessions except `keep`.
   * @throws Failure('notFound'), Failure('conflict') when a new name is taken, Failure('forbidden') when no administrator would remain
   */
  async replace(id: number, { password, ...fields }: UserFields, keep?: string): Promise<void> {
    if (this.byId(id) === undefined) throw new Failure('notFound')
    const hash = password === undefined ? undefined : await this.#passwords.hash(password, `user ${id}`)
    await this.#state.change('other', (draft) => {
      const before = this.#edit(draft, id, (user) => Object.assign(user, fields, hash !== undefined && { password: hash }))
      if (before.perm.admin) checkAdministrator(draft)
      if (hash !== undefined) endSessions(draft, id, keep)
    })
    if (hash !== undefined) await this.#state.forgetPassword(id, this.firstAdministrator()?.id === id)
  }

  /**
   * Sets a password and ends all sessions of the user except `keep`.
   * @throws Failure('notFound'), Failure('invalid') for a short password
   */
  async changePassword(id: number, password: string, keep?: string): Promise<void> {
    checkPassword(password)
    if (this.byId(id) === undefined) throw new Failure('notFound')
    const passwordHash = await this.#passwords.hash(password, `user ${id}`)
    await this.#state.change('other', (draft) => {
      this.#edit(draft, id, (user) => {
        user.password = passwordHash
      })
      endSessions(draft, id, keep)
    })
    await this.#state.forgetPassword(id, this.firstAdministrator()?.id === id)
  }

  /**
   * Changes the record of a user. Requests with a token that holds the old record are answered with the renewal hint.
   * @throws Failure('notFound'), Failure('conflict') when a new name is taken, Failure('forbidden') when no administrator would remain
   */
  change(id: number, edit: (user: UserDraft) => void): Promise<void> {
    return this.#state.change('other', (draft) => {
      const before = this.#edit(draft, id, edit)
      if (before.perm.admin) checkAdministrator(draft)
    })
  }

  /** Ends all sessions of a user except `keep`. @throws Failure('notFound') */
  signOutEverywhere(id: number, keep?: string): Promise<void> {
    return this.#state.change('session', (draft) => {
      if (!draft.users.some((user) => user.id === id)) throw new Failure('notFound')
      endSessions(draft, id, keep)
    })
  }

  /** Removes a user and ends the user's sessions and links. @throws Failure('notFound'), Failure('forbidden') for the last administrator */
  remove(id: number): Promise<void> {
    return this.#state.change('other', (draft) => {
      const user = draft.users.find((candidate) => candidate.id === id)
      if (user === undefined) throw new Failure('notFound')
      draft.users = draft.users.filter((candidate) => candidate.id !== id)
      if (user.perm.admin) checkAdministrator(draft)
      endSessions(draft, id)
      if (draft.links?.some(({ userId }) => userId === id)) draft.links = draft.links.filter(({ userId }) => userId !== id)
    })
  }

  #add(draft: StateDraft, user: NewUser, passwordHash: string): StoredUser {
    draft.lastUserId += 1
    const record = newRecord(
      { id: draft.lastUserId, passwordHash, changedAt: this.#clock.now() / 1000 },
      { ...draft.settings.defaults, ...user },
    )
    draft.users = [...draft.users, record]
    return record
  }

  /** @returns the record as it was @throws Failure('notFound') */
  #edit(draft: StateDraft, id: number, edit: (user: UserDraft) => void): StoredUser {
    const before = draft.users.find((candidate) => candidate.id === id)
    if (before === undefined) throw new Failure('notFound')
    const user = { ...before }
    edit(user)
    const others = draft.users.filter((other) => other !== before)
    // States of before may hold two names that are one now: they may stay.
    if (user.username !== before.username && isTaken(others, user.username)) throw new Failure('conflict', 'the name is taken')
    user.perm = storedPermissions(user.perm)
    // An administrator always changes their own password.
    if (user.perm.admin) user.lockPassword = false
    // Strictly increasing, so that a token with the old record is recognised even after two changes in one millisecond.
    user.changedAt = Math.max(this.#clock.now() / 1000, before.changedAt + 0.001)
    draft.users = draft.users.map((other) => (other === before ? user : other))
    return before
  }
}

/** @throws Failure('conflict') when name or home folder are another user's, or there are too many users */
function checkFree({ users }: Pick<StateData, 'users'>, { username, scope = '/' }: NewUser, isOwnHome: boolean) {
  if (isTaken(users, username)) throw new Failure('conflict', 'the name is taken')
  if (users.length >= mostUsers) throw new Failure('conflict', `there may be at most ${mostUsers} users`)
  if (!isOwnHome || !users.some((other) => isSameHome(other.scope, scope))) return
  throw new Failure('conflict', 'the home folder belongs to another user')
}

/** Whether somebody has a name that people take for this one. */
function isTaken(users: readonly Readonly<StoredUser>[], name: string): boolean {
  const folded = foldedUsername(name)
  return users.some((other) => foldedUsername(other.username) === folded)
}

/** @throws Failure('forbidden') without an administrator: nobody could make another one */
function checkAdministrator({ users }: Pick<StateData, 'users'>) {
  if (!users.some((user) => user.perm.admin)) throw new Failure('forbidden', 'one administrator must remain')
}
