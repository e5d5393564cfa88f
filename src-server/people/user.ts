import { allPermissions, type Permissions } from '../access/permissions.ts'
import { Failure } from '../base/failure.ts'
import type { TokenUser } from '../contract/users.ts'
import type { StoredUser } from '../state/state-data.ts'

/** What may be said of a new user; the rest is as for everybody. */
export type NewUser = {
  username: string
  /** In plain text; it is hashed before anything is stored. */
  password: string
} & Partial<Omit<StoredUser, 'id' | 'username' | 'password' | 'changedAt'>>

/** What a new user may do unless it is said otherwise: all but administering and running commands. */
export const usualPermissions: Permissions = { ...allPermissions, admin: false, execute: false }

/** UTF-8 bytes: longer names would only swell every token. */
const longestName = 255

/**
 * Names are exact: no case folding, no trimming, no Unicode normalising.
 * @throws Failure('invalid')
 */
export function checkUsername(username: string) {
  if (username === '') throw new Failure('invalid', 'a user needs a name')
  if (!username.isWellFormed()) throw new Failure('invalid', 'a name must be well-formed Unicode')
  if (Buffer.byteLength(username) > longestName) throw new Failure('invalid', 'a name is at most 255 bytes long')
}

/** An administrator has every permission; that is made so here, when a user is stored, not when it is asked. */
export function storedPermissions(permissions: Permissions): Permissions {
  return permissions.admin ? allPermissions : permissions
}

/** The record of a new user, with a hash for a password. */
export function newRecord(fields: { id: number; passwordHash: string; changedAt: number }, user: NewUser): StoredUser {
  return {
    id: fields.id,
    username: user.username,
    password: fields.passwordHash,
    scope: user.scope ?? '/',
    locale: user.locale ?? '',
    lockPassword: user.lockPassword ?? false,
    viewMode: user.viewMode ?? 'mosaic',
    sorting: user.sorting ?? { by: 'name', asc: true },
    perm: storedPermissions(user.perm ?? usualPermissions),
    commands: user.commands ?? [],
    rules: user.rules ?? [],
    changedAt: fields.changedAt,
  }
}

/** What the token carries of a user: for display alone, and nothing about where the files lie. */
export function tokenUser(user: StoredUser): TokenUser & typeof elsewhere {
  const { id, username, locale, viewMode, sorting, perm, commands, lockPassword } = user
  return { id, username, locale, viewMode, sorting, perm, commands: [...commands], lockPassword, ...elsewhere }
}

/**
 * Settings of other servers of this API: their clients refuse a sign-in whose token does not name them. A user has no such settings
 * here yet, so these are the values with which those servers begin; once a user has them, the stored values belong here.
 */
const elsewhere = { singleClick: false, redirectAfterCopyMove: false, hideDotfiles: false, dateFormat: false, aceEditorTheme: '' }
