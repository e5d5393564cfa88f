// What stands in the state file, and nothing else: every field that a person can find in holdall.json is named here.
import type { Permissions } from '../access/permissions.ts'
import type { Rule } from '../access/rules.ts'

type StoredRule = Readonly<Omit<Rule, 'regexp'>> & Readonly<{ regexp: Readonly<Rule['regexp']> }>

export const currentSchema = 1

export type StoredUser = Readonly<{
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
  sorting: Readonly<{ by: 'name' | 'size' | 'modified'; asc: boolean }>
  perm: Permissions
  commands: readonly string[]
  rules: readonly StoredRule[]
  /** Seconds since the epoch of the last change to this record: a token older than it gets the renewal hint. */
  changedAt: number
}>

export type StoredSession = Readonly<{
  /** 128 random bits, base64url. */
  id: string
  userId: number
  /** Seconds since the epoch. */
  createdAt: number
  /** Seconds since the epoch, written at most every ten minutes. */
  usedAt: number
  /** Seconds since the epoch at which the last token ends that was made for it; without it, 30 days after the sign-in. */
  expiresAt?: number
}>

export type SigningKey = Readonly<{
  kid: string
  /** 32 random bytes, base64url. */
  secret: string
}>

/** The stored settings; more groups join with the calls that change them. */
export type StoredSettings = Readonly<{
  signup: boolean
  createUserDir: boolean
  rules: readonly StoredRule[]
  branding: Readonly<{ name: string; disableExternal: boolean; theme: string; files: string }>
}>

export type StateData = Readonly<{
  schema: number
  /** 8 hex digits, made with the state: tells this server's cookie from another's on the same host. */
  instance: string
  /** The first signs; all verify. */
  keys: readonly SigningKey[]
  /** The last user id given: ids are never used twice. */
  lastUserId: number
  settings: StoredSettings
  users: readonly StoredUser[]
  sessions: readonly StoredSession[]
}>

/** A record whose fields an edit may set to new values. */
export type UserDraft = { -readonly [K in keyof StoredUser]: StoredUser[K] }

/** What an edit changes: it puts new lists and records in place of the old ones, which the data before it shares. */
export type StateDraft = { -readonly [K in keyof StateData]: StateData[K] }
