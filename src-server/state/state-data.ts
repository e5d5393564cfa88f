// The content of the state file: all fields of holdall.json.
import type { Permissions } from '../access/permissions.ts'
import type { Rule } from '../access/rules.ts'

type StoredRule = Readonly<Omit<Rule, 'regexp'>> & Readonly<{ regexp: Readonly<Rule['regexp']> }>

/** The schema of this version. */
export const currentSchema = 1

/** A user. */
export type StoredUser = Readonly<{
  id: number
  username: string
  /** A PHC string of argon2id. With '' no password is right. */
  password: string
  /** A path below the server's root; '/' is all of it. */
  scope: string
  /** '' follows the browser. */
  locale: string
  lockPassword: boolean
  viewMode: 'mosaic' | 'list'
  sorting: Readonly<{ by: 'name' | 'size' | 'modified'; asc: boolean }>
  perm: Permissions
  commands: readonly string[]
  rules: readonly StoredRule[]
  /** Seconds since the epoch of the last change of this record. Requests with an older token get the renewal hint. */
  changedAt: number
}>

/** A session. */
export type StoredSession = Readonly<{
  /** 128 random bits, base64url. */
  id: string
  userId: number
  /** Seconds since the epoch. */
  createdAt: number
  /** Seconds since the epoch, written at most every ten minutes. */
  usedAt: number
  /** Seconds since the epoch of the last right password after the sign-in. */
  provenAt?: number
  /** Seconds since the epoch at which the last token of the session expires; if absent, 30 days after the sign-in. */
  expiresAt?: number
  /** The IP address of the sign-in, for its owner; '' over a unix socket. */
  address?: string
  /** What the client of the sign-in called itself, at most 200 characters. */
  agent?: string
}>

/** A key for tokens. */
export type SigningKey = Readonly<{
  kid: string
  /** 32 random bytes, base64url. */
  secret: string
}>

/** The settings of the server. */
export type StoredSettings = Readonly<{
  signup: boolean
  createUserDir: boolean
  rules: readonly StoredRule[]
  branding: Readonly<{
    name: string
    disableExternal: boolean
    /** The space of the disk is not shown. */
    disableUsedPercentage?: boolean
    theme: string
    files: string
    /** The accent, `#rrggbb`. */
    color?: string
    /** A style sheet. */
    css?: string
  }>
  /** The fields of a new user. */
  defaults?: StoredDefaults
  /** The program for hooks and its arguments. */
  shell?: readonly string[]
  /** Event → command lines. */
  commands?: Readonly<Record<string, readonly string[]>>
  /** Of each command of an event; a kilobyte has 1,024 bytes. */
  hookLimits?: Readonly<{ seconds: number; kilobytes: number }>
}>

/** The fields of a new user that are not given. */
export type StoredDefaults = Pick<StoredUser, 'scope' | 'locale' | 'viewMode' | 'sorting' | 'perm' | 'commands'>

/** A public link. */
export type StoredLink = Readonly<{
  /** 128 random bits, base64url. */
  hash: string
  userId: number
  /** Canonical, below the served root, without links on the way. */
  path: string
  isDir: boolean
  /** A PHC string of argon2id. */
  password?: string
  note?: string
  /** Downloads after which the link ends. */
  mostDownloads?: number
  /** Stands for what was shared, as Disk.identify says it; '' is not compared. */
  identity: string
  /** Seconds since the epoch; 0 never expires. */
  expire: number
  /** Seconds since the epoch. */
  createdAt: number
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
  users: readonly StoredUser[]
  sessions: readonly StoredSession[]
  /** Absent until the first one is made. */
  links?: readonly StoredLink[]
}>

/** A user whose fields an edit may set. */
export type UserDraft = { -readonly [K in keyof StoredUser]: StoredUser[K] }

/** The state in an edit. The edit sets fields to new lists and records: the old ones are shared with the state before. */
export type StateDraft = { -readonly [K in keyof StateData]: StateData[K] }
