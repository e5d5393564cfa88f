// What stands in the state file, and nothing else: every field that a person can find in holdall.json is named here.
import type { Permissions } from '../access/permissions.ts'
import type { Rule } from '../access/rules.ts'

export const currentSchema = 1

export type StoredUser = {
  id: number
  username: string
  /** A PHC string; argon2id. '' never verifies. */
  password: string
  /** A path below the server's root; '/' is all of it. */
  scope: string
  /** '' lets the browser's language decide. */
  locale: string
  lockPassword: boolean
  viewMode: 'mosaic' | 'list'
  sorting: { by: 'name' | 'size' | 'modified'; asc: boolean }
  perm: Permissions
  commands: string[]
  rules: Rule[]
  /** Seconds since the epoch of the last change to this record: a token older than it gets the renewal hint. */
  changedAt: number
}

export type StoredSession = {
  /** 128 random bits, base64url. */
  id: string
  userId: number
  /** Seconds since the epoch. */
  createdAt: number
  /** Seconds since the epoch, written at most every ten minutes. */
  usedAt: number
}

export type SigningKey = {
  kid: string
  /** 32 random bytes, base64url. */
  secret: string
}

/** The stored settings; more groups join with the calls that change them. */
export type StoredSettings = {
  signup: boolean
  createUserDir: boolean
  rules: Rule[]
  branding: { name: string; disableExternal: boolean; theme: string; files: string }
}

export type StateData = {
  schema: number
  /** 8 hex digits, made with the state: tells this server's cookie from another's on the same host. */
  instance: string
  /** The first signs; all verify. */
  keys: SigningKey[]
  /** The last user id given: ids are never used twice. */
  lastUserId: number
  settings: StoredSettings
  users: StoredUser[]
  sessions: StoredSession[]
}

/** As it stands in the file: for people to read, too. */
export function textOf(data: StateData): string {
  return `${JSON.stringify(data, null, 2)}\n`
}
