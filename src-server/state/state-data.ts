// The content of the state file: all fields of holdall.json.
import type { Static } from 'typebox'
import type { ImportNotice } from '../contract/imports.ts'
import type { recordLists, SettingsRecord } from '../contract/records.ts'

/** The schema of this version. */
export const currentSchema = 1

/** Records are frozen, and replaced when they change. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** The lists of records, by name. */
export type RecordLists = {
  readonly [L in keyof typeof recordLists]: readonly Frozen<Static<(typeof recordLists)[L]['record']>>[]
}

export type StoredUser = RecordLists['users'][number]
export type StoredSession = RecordLists['sessions'][number]
export type StoredLink = RecordLists['links'][number]
export type StoredRequest = RecordLists['requests'][number]
/** A link of either kind: what it leads to, and whose it is. */
export type StoredAnyLink = Pick<StoredLink, 'hash' | 'userId' | 'path' | 'isDir' | 'identity' | 'suspended'>
export type StoredSettings = Frozen<Static<typeof SettingsRecord>>
export type StoredDefaults = StoredSettings['defaults']

/** A key for tokens. */
export type SigningKey = Readonly<{
  kid: string
  /** 32 random bytes, base64url. */
  secret: string
}>

/** An import from File Browser. */
export type ImportedFrom = Readonly<{
  /** Stands for the database or the exports: another import of the same one is known by it. */
  source: string
  /** Seconds since the epoch. */
  at: number
  /** The folder that was served then, and what identifies it, as Disk.identify says it: scopes and links count from it. */
  root: string
  rootIdentity: string
  /** The ids of the users there, and what they are here. */
  users: readonly (readonly [there: number, here: number])[]
  /** What it has brought, until an administrator has taken note. */
  notice?: Frozen<ImportNotice>
}>

/** The state. */
export type StateData = Readonly<{
  schema: number
  /** 8 random hex digits: distinguishes the cookie of this server from those of others on the same host. */
  instance: string
  /** The first one signs; all verify. */
  keys: readonly SigningKey[]
  /** The highest id that was ever given to a user: ids are not reused. */
  lastUserId: number
  settings: StoredSettings
  /** Absent: nothing was imported. */
  imported?: readonly ImportedFrom[]
}> &
  RecordLists

/** A user whose fields an edit may set. */
export type UserDraft = { -readonly [K in keyof StoredUser]: StoredUser[K] }

/** The state in an edit. The edit sets fields to new lists and records: the old ones are shared with the state before. */
export type StateDraft = { -readonly [K in keyof StateData]: StateData[K] }
