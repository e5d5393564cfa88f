import { isDeepStrictEqual } from 'node:util'
import { allPermissions, type Permissions } from '../access/permissions.ts'
import { Failure } from '../base/failure.ts'
import { foldedUsername } from '../base/folded-name.ts'
import { parsePath } from '../base/paths.ts'
import { actorOf, type By, checkAdministrator } from './actor.ts'
import { endSessionsOf, nextEpoch } from './session-commands.ts'
import type { StateData, StateDraft, StoredDefaults, StoredUser } from './state-data.ts'

/** The fields of a new user; the optional ones have defaults. */
export type NewUser = Pick<StoredUser, 'username'> &
  Partial<Omit<StoredUser, 'id' | 'username' | 'password' | 'changedAt' | 'accessEpoch' | 'formerNames'>>

/** Every request looks through them, and every change writes them. */
export const mostUsers = 1000

/** Fields of their own record that people change who are no administrators. */
const ownFields: readonly string[] = ['password', 'locale', 'viewMode', 'sorting']

/** The fields of a user that a change sets; `password` is the hash. */
export type UserFieldsToStore = Partial<Omit<StoredUser, 'id' | 'changedAt' | 'accessEpoch'>>

export const userCommands = {
  /**
   * @param input.isOwnHome the scope must be no other user's
   * @param input.now seconds since the epoch
   * @throws Failure('conflict') when name or home are another's, or there are too many users, as checkAdministrator
   */
  addUser(draft: StateDraft, input: { user: NewUser; passwordHash: string; isOwnHome: boolean; now: number; by?: By }) {
    const { user, passwordHash, isOwnHome, now, by } = input
    checkAdministrator(draft, by)
    checkFree(draft, user, isOwnHome)
    draft.lastUserId += 1
    const record = newRecord(
      { id: draft.lastUserId, password: passwordHash, changedAt: now },
      { ...draft.settings.defaults, ...user },
    )
    draft.users = [...draft.users, record]
    return record
  },

  /**
   * Sets fields. A new password ends all sessions of the user but `keep`, and what goes on without one.
   * @throws Failure('notFound'), Failure('conflict') when a new name is taken, Failure('changed') when the rules are not `formerRules`,
   *   Failure('forbidden') when no administrator would remain, as actorOf and checkMayChange
   */
  changeUser(
    draft: StateDraft,
    input: {
      id: number
      fields: UserFieldsToStore
      keep?: string | undefined
      now: number
      by?: By
      formerRules?: StoredUser['rules'] | undefined
    },
  ): void {
    const { id, fields, keep, now, by, formerRules } = input
    if (by) checkMayChange(actorOf(draft, by), id, Object.keys(fields))
    const before = userIn(draft, id)
    if (formerRules && !isDeepStrictEqual(before.rules, formerRules)) throw new Failure('changed')
    const others = draft.users.filter((other) => other !== before)
    const user = { ...before, ...fields, ...(fields.password !== undefined && { accessEpoch: nextEpoch(before) }) }
    // States of before may hold two names that are one now: they may stay.
    if (user.username !== before.username) {
      if (isTaken(others, user.username)) throw nameTaken()
      user.formerNames = namesBefore(before)
    }
    user.perm = storedPermissions(user.perm)
    // An administrator always changes their own password.
    if (user.perm.admin) user.lockPassword = false
    // Strictly increasing, so that a token with the old record is recognised even after two changes in one millisecond.
    user.changedAt = Math.max(now, before.changedAt + 0.001)
    draft.users = draft.users.map((other) => (other === before ? user : other))
    if (before.perm.admin) checkOneRemains(draft)
    if (fields.password !== undefined) endSessionsOf(draft, id, keep)
  },

  /**
   * Stores another hash of the same password. No session ends: nothing was changed.
   * @returns whether it is stored: the user may have another password by now
   */
  rehashPassword(draft: StateDraft, { id, from, to }: { id: number; from: string; to: string }): boolean {
    const before = draft.users.find((user) => user.id === id && user.password === from)
    if (before) draft.users = draft.users.map((user) => (user === before ? { ...user, password: to } : user))
    return before !== undefined
  },

  /**
   * Removes a user with all sessions and links of both kinds.
   * @throws Failure('notFound'), Failure('forbidden') for the last administrator, as checkAdministrator
   */
  removeUser(draft: StateDraft, { id, by }: { id: number; by?: By }): void {
    checkAdministrator(draft, by)
    const user = userIn(draft, id)
    draft.users = draft.users.filter((other) => other !== user)
    if (user.perm.admin) checkOneRemains(draft)
    endSessionsOf(draft, id)
    if (draft.links.some(({ userId }) => userId === id)) draft.links = draft.links.filter(({ userId }) => userId !== id)
    if (draft.requests.some(({ userId }) => userId === id)) draft.requests = draft.requests.filter(({ userId }) => userId !== id)
  },
}

/** People who are no administrators change only their own password, and what belongs to their profile. @throws Failure('forbidden') */
export function checkMayChange(
  actor: Pick<StoredUser, 'id' | 'perm' | 'lockPassword'>,
  id: number,
  names: readonly string[],
): void {
  if (actor.perm.admin) return
  if (id !== actor.id) throw new Failure('forbidden', 'you may change only your own record')
  const foreign = names.find((name) => !ownFields.includes(name))
  if (foreign) throw new Failure('forbidden', 'only administrators may change {{field}}', { about: { field: foreign } })
  if (names.includes('password') && actor.lockPassword)
    throw new Failure('forbidden', 'the password is locked', { about: { field: 'password' } })
}

/** @throws Failure('conflict') when name or home folder are another user's, or there are too many users */
export function checkFree(
  { users }: Pick<StateData, 'users'>,
  { username, scope = '/' }: Pick<NewUser, 'username' | 'scope'>,
  isOwnHome: boolean,
): void {
  if (isTaken(users, username)) throw nameTaken()
  if (users.length >= mostUsers)
    throw new Failure('conflict', 'there may be at most {{number}} users', { about: { number: mostUsers } })
  if (!isOwnHome || !users.some((other) => isSameHome(other.scope, scope))) return
  throw new Failure('conflict', 'the home folder belongs to another user', { about: { field: 'scope' } })
}

/** The permissions to store: all of them for an administrator, so that no check has to treat administrators separately. */
export function storedPermissions(permissions: Permissions): Permissions {
  return permissions.admin ? allPermissions : permissions
}

/** The record of a new user. @param fields `password` is the hash, `changedAt` in seconds since the epoch */
export function newRecord(
  fields: Pick<StoredUser, 'id' | 'password' | 'changedAt'>,
  { username, ...given }: NewUser & StoredDefaults,
): StoredUser {
  const { id, password, changedAt } = fields
  return { id, username, password, lockPassword: false, rules: [], ...given, perm: storedPermissions(given.perm), changedAt }
}

function userIn({ users }: Pick<StateData, 'users'>, id: number): StoredUser {
  const user = users.find((candidate) => candidate.id === id)
  if (user === undefined) throw new Failure('notFound')
  return user
}

/** Whether somebody has a name that people take for this one. */
function isTaken(users: readonly StoredUser[], name: string): boolean {
  const folded = foldedUsername(name)
  return users.some((other) => foldedUsername(other.username) === folded)
}

const nameTaken = () => new Failure('conflict', 'the name is taken', { about: { field: 'username' } })

/** Whether two scopes are one folder, also on disks that do not distinguish case. */
function isSameHome(one: string, other: string): boolean {
  return parsePath(one).toLowerCase() === parsePath(other).toLowerCase()
}

/** @throws Failure('forbidden') without an administrator: nobody could make another one */
function checkOneRemains({ users }: Pick<StateData, 'users'>): void {
  if (!users.some((user) => user.perm.admin)) throw new Failure('forbidden', 'one administrator must remain')
}

/** How many former names of a user are kept. */
const mostNames = 20

function namesBefore({ username, formerNames = [] }: StoredUser): string[] {
  return [...formerNames.filter((name) => name !== username), username].slice(-mostNames)
}
