// The record of a user: what it begins with.
import { allPermissions, type Permissions } from '../access/permissions.ts'
import type { StoredDefaults, StoredUser } from './state-data.ts'

/** The fields of a new user; the optional ones have defaults. */
export type NewUser = {
  username: string
  /** In plain text; only its hash is stored. */
  password: string
} & Partial<Omit<StoredUser, 'id' | 'username' | 'password' | 'changedAt'>>

/** The default permissions of a new user: all except administration and running commands. */
export const usualPermissions: Permissions = { ...allPermissions, admin: false, execute: false }

/** The fields of a new user until an administrator sets others in the settings. */
export const usualDefaults: StoredDefaults = {
  scope: '/',
  locale: '',
  viewMode: 'mosaic',
  sorting: { by: 'name', asc: true },
  perm: usualPermissions,
  commands: [],
}

/** The permissions to store: all of them for an administrator, so that no check has to treat administrators separately. */
export function storedPermissions(permissions: Permissions): Permissions {
  return permissions.admin ? allPermissions : permissions
}

/** The record of a new user. `changedAt` is in seconds since the epoch. */
export function newRecord(
  fields: { id: number; passwordHash: string; changedAt: number },
  user: Omit<NewUser, 'password'>,
): StoredUser {
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
