// The records of the state, each declared once: from a schema come the stored type, the check of the state and of what calls send, and
// the fields of answers, which are picked by name.
import { type Static, type TSchema, Type } from 'typebox'

/** What a schema says besides its type. */
export type FieldOptions = Readonly<{
  /** Completes the sentence that refuses another value: `<field> is true or false`. */
  words?: string
  /** The parameters in the words. */
  about?: Readonly<Record<string, number>>
  /** What a state has that was written before the field. */
  default?: unknown
  /** A narrower schema of what calls may send. What is stored already stays. */
  sent?: TSchema
}>

const yesOrNo = (fallback: boolean) => Type.Boolean({ words: 'is true or false', default: fallback })

const wholeNumber = (most: number, fallback: number) =>
  Type.Integer({
    minimum: 1,
    words: 'is a whole number from {{least}} to {{most}}',
    about: { least: 1, most },
    default: fallback,
    sent: Type.Integer({ minimum: 1, maximum: most }),
  })

export const Permissions = Type.Object(
  {
    admin: Type.Boolean(),
    execute: Type.Boolean(),
    create: Type.Boolean(),
    rename: Type.Boolean(),
    modify: Type.Boolean(),
    delete: Type.Boolean(),
    share: Type.Boolean(),
    download: Type.Boolean(),
  },
  { words: 'has admin, execute, create, rename, modify, delete, share, download, each true or false' },
)

export const Sorting = Type.Object(
  {
    by: Type.Union([Type.Literal('name'), Type.Literal('size'), Type.Literal('modified')]),
    /** true: A to Z, small to large, old to new. */
    asc: Type.Boolean(),
  },
  { words: 'has by, which is name, size or modified, and asc, which is true or false' },
)
export type Sorting = Static<typeof Sorting>

export const ViewMode = Type.Union([Type.Literal('mosaic'), Type.Literal('list')], { words: 'is mosaic or list' })
export type ViewMode = Static<typeof ViewMode>

/** A rule of a user: the last one that matches a path decides whether it is blocked. */
export const UserRule = Type.Object({
  allow: Type.Boolean(),
  /** Whole segments, from the user's scope root; used when `regex` is false. */
  path: Type.String(),
  regex: Type.Boolean(),
  /** An expression of RE2; used when `regex` is true. */
  regexp: Type.Object({ raw: Type.String() }),
})
export type UserRule = Static<typeof UserRule>

const Rules = Type.Array(UserRule, { words: 'is a list of allow, regex, path and regexp.raw', default: [] })
const Texts = Type.Array(Type.String(), { words: 'is a list of texts', default: [] })

/** A user. */
export const UserRecord = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  username: Type.String({ minLength: 1, words: 'is a text', sent: Type.String() }),
  /** A PHC string of argon2id, or a hash of bcrypt until the next sign-in. With '' no password is right. */
  password: Type.String({ words: 'is a text' }),
  /** A path below the server's root; '/' is all of it. */
  scope: Type.String({ words: 'is the path of a folder' }),
  /** '' follows the browser. */
  locale: Type.String(),
  lockPassword: Type.Boolean({ words: 'is true or false' }),
  viewMode: ViewMode,
  sorting: Sorting,
  perm: Permissions,
  commands: Texts,
  rules: Rules,
  /** Seconds since the epoch of the last change of this record. Requests with an older token get the renewal hint. */
  changedAt: Type.Number(),
  /** Raised by each new password and by signing out everywhere, also where a session is kept: ends what needs none. Absent: 0. */
  accessEpoch: Type.Optional(Type.Integer({ minimum: 0 })),
  /** The last ones that the user had. What lies on a disk under one of them and the id is this user's; absent: none. */
  formerNames: Type.Optional(Type.Array(Type.String())),
})

/** A session. Times are in seconds since the epoch. */
export const SessionRecord = Type.Object({
  /** 128 random bits, base64url. */
  id: Type.String({ minLength: 1 }),
  userId: Type.Integer(),
  createdAt: Type.Number(),
  /** Written at most every ten minutes. */
  usedAt: Type.Number(),
  /** Of the last right password after the sign-in. */
  provenAt: Type.Optional(Type.Number()),
  /** When the last token of the session expires; if absent, 30 days after the sign-in. */
  expiresAt: Type.Optional(Type.Number()),
  /** The IP address of the sign-in, for its owner; '' over a unix socket. */
  address: Type.Optional(Type.String()),
  /** What the client of the sign-in called itself, at most 200 characters. */
  agent: Type.Optional(Type.String()),
})

/** A public link. Times are in seconds since the epoch. */
export const LinkRecord = Type.Object({
  /** 128 random bits, base64url. */
  hash: Type.String({ pattern: '^[A-Za-z0-9_=-]{1,128}$' }),
  userId: Type.Integer(),
  /** Canonical, below the served root, without links on the way. */
  path: Type.String({ pattern: '^/' }),
  isDir: Type.Boolean(),
  /** A PHC string of argon2id. */
  password: Type.Optional(Type.String({ minLength: 1 })),
  note: Type.Optional(Type.String()),
  /** Downloads after which the link ends. */
  mostDownloads: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Stands for what was shared, as Disk.identify says it; '' is not compared. */
  identity: Type.String(),
  /** 0 never expires. */
  expire: Type.Integer({ minimum: 0 }),
  createdAt: Type.Integer(),
  /** The id in the trash of what holds it: the link leads nowhere while it is there. `path` is the one from before. */
  suspended: Type.Optional(Type.String({ minLength: 1 })),
})

/** Characters of what the owner of a request link says, and of its endings. */
export const longestTitle = 200
export const longestRequestText = 2000
/** Of the name of a file, in lower case and without the dot. */
export const endingPattern = '^[\\p{Ll}\\p{Lo}\\p{N}_+-]{1,20}$'
export const mostEndings = 64
/** Of files and bytes that one request link may take in. */
export const mostRequestFiles = 100_000
export const mostRequestBytes = 2 ** 50

/** A link that takes files in. It stays after its end, until its owner deletes it. Times are in seconds since the epoch. */
export const RequestRecord = Type.Object({
  /** 128 random bits, base64url. */
  hash: Type.String({ pattern: '^[A-Za-z0-9_=-]{1,128}$' }),
  userId: Type.Integer(),
  /** Of a folder: canonical, below the served root, without links on the way. */
  path: Type.String({ pattern: '^/' }),
  isDir: Type.Literal(true),
  /** As of a link: stands for the folder. */
  identity: Type.String(),
  /** 0 never expires. */
  expire: Type.Integer({ minimum: 0 }),
  createdAt: Type.Integer(),
  /** A PHC string of argon2id. */
  password: Type.Optional(Type.String({ minLength: 1 })),
  /** The id in the trash of what holds the folder: see a link. */
  suspended: Type.Optional(Type.String({ minLength: 1 })),
  /** For those who send something. */
  title: Type.String({ minLength: 1 }),
  text: Type.Optional(Type.String({ minLength: 1 })),
  /** Of all files together, and of one. */
  mostBytes: Type.Integer({ minimum: 1 }),
  mostFileBytes: Type.Integer({ minimum: 1 }),
  mostFiles: Type.Integer({ minimum: 1 }),
  /** Of one address, in an hour. */
  filesAnHour: Type.Integer({ minimum: 1 }),
  /** Absent: files of all kinds. */
  endings: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  /** Whether who sends something says a name. */
  asksName: Type.Boolean(),
  /** Whether what each person sends goes to a folder of its own. */
  hasFolders: Type.Boolean(),
  /** Whether the pages of the owner say so when something has arrived. */
  tells: Type.Boolean(),
  /** When the owner closed it. */
  closedAt: Type.Optional(Type.Integer()),
  /** How many of the files that have arrived the owner has seen. */
  seen: Type.Integer({ minimum: 0 }),
})

/** The permissions with which new users begin: all except administration and running commands. */
const usualPermissions = {
  ...{ admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true },
}

const user = UserRecord.properties

/** The fields that a new user gets unless others are given. */
export const UserDefaults = Type.Object({
  scope: Type.String({ ...user.scope, default: '/' }),
  locale: Type.String({ default: '' }),
  viewMode: Type.Union(ViewMode.anyOf, { default: 'mosaic' }),
  sorting: Type.Object(Sorting.properties, { default: { by: 'name', asc: true } }),
  perm: Type.Object(Permissions.properties, { default: usualPermissions }),
  commands: Texts,
})
export type UserDefaults = Static<typeof UserDefaults>

/** '' follows the system. */
export const Theme = Type.Union([Type.Literal(''), Type.Literal('light'), Type.Literal('dark')])

/** Characters of a word or a line, and how many there may be in a list. */
export const longestLine = 4096
export const mostLines = 100

/** How the page presents itself. */
const Branding = Type.Object({
  /** '' is the name of the product. */
  name: Type.String({ words: 'is a text of at most 255 characters', default: '', sent: Type.String({ maxLength: 255 }) }),
  disableExternal: yesOrNo(false),
  /** The space of the disk is not shown. */
  disableUsedPercentage: yesOrNo(false),
  theme: Type.String({ words: 'is empty, light or dark', default: '', sent: Theme }),
  /** `#rrggbb`, or '' for the accent of the product. */
  color: Type.String({
    words: 'is empty or a colour such as #2979ff',
    default: '',
    sent: Type.String({ pattern: '^(#[0-9a-fA-F]{6})?$' }),
  }),
  /** The folder of the host with logo and icons; '' for none. */
  files: Type.String({
    words: 'is the absolute path of a folder, or empty',
    default: '',
    sent: Type.String({ maxLength: longestLine }),
  }),
  /** A style sheet; '' for none. */
  css: Type.String({ words: 'is the text of a style sheet', default: '' }),
})

/** How long a command of an event may run, and how much it may write. */
const HookLimits = Type.Object({
  seconds: wholeNumber(600, 30),
  /** Of 1,024 bytes. */
  kilobytes: wholeNumber(1024, 64),
})

/** What happens to what is deleted or replaced. */
const TrashRecord = Type.Object({
  isOn: yesOrNo(true),
  /** For how long it is kept. */
  days: wholeNumber(3650, 30),
  /** Of a file system that all of it may take; one person half of that. */
  percent: wholeNumber(90, 10),
  /** Whether administrators are still told that there is a trash now: in a state from before it, until one of them has taken note. */
  isNews: yesOrNo(true),
})

/** Uploads that may go on later. */
const UploadSettings = Type.Object({
  /** For how long one is kept after its last byte. */
  days: wholeNumber(365, 7),
})

/** How much an archive may hold that is extracted. */
export const ArchiveSettings = Type.Object({
  /** Of 1,000,000,000 bytes, of all files in it. */
  gigabytes: wholeNumber(1_000_000, 100),
  /** How many times as large as the archive they may be, beyond the first gibibyte. */
  ratio: wholeNumber(1_000_000, 1000),
  /** Files, links and folders: memory is kept for as many. */
  entries: wholeNumber(1_000_000, 1_000_000),
  /** Percent of the free space that is left to others. */
  spare: wholeNumber(90, 5),
})

/** The settings of the server. */
export const SettingsRecord = Type.Object({
  signup: yesOrNo(false),
  /** Whether a new user without a scope gets a home folder. */
  createUserDir: yesOrNo(false),
  defaults: UserDefaults,
  /** They are asked before the rules of each user. */
  rules: Rules,
  branding: Branding,
  /** The program for hooks and its arguments; empty: hooks run without a shell. */
  shell: Texts,
  /** Event → command lines. Events of other servers of this API may be among them; they run nothing. */
  commands: Type.Record(Type.String(), Type.Array(Type.String()), { default: {} }),
  hookLimits: HookLimits,
  trash: TrashRecord,
  uploads: UploadSettings,
  archives: ArchiveSettings,
})

/**
 * The lists of the state. `kind` is that of the news of a change, and `key` tells the records of a list apart. A list that is later than
 * the first release is missing in states from before.
 */
export const recordLists = {
  users: { kind: 'user', record: UserRecord, key: 'id', isLater: false },
  sessions: { kind: 'session', record: SessionRecord, key: 'id', isLater: false },
  links: { kind: 'link', record: LinkRecord, key: 'hash', isLater: true },
  requests: { kind: 'request', record: RequestRecord, key: 'hash', isLater: true },
} as const

export const listNames = Object.keys(recordLists) as (keyof typeof recordLists)[]

type ObjectSchema = TSchema & Readonly<{ properties: Readonly<Record<string, TSchema>> }>

const isObject = (schema: TSchema): schema is ObjectSchema => 'properties' in schema

/** A record of before with the defaults of the fields that it lacks. */
export function completed<S extends ObjectSchema>(schema: S, stored: object): Static<S> {
  const given = stored as Readonly<Record<string, unknown>>
  const missing = Object.entries(schema.properties).flatMap(([name, field]) => {
    const { default: fallback } = field as FieldOptions
    const value = given[name]
    if (value === undefined)
      return fallback !== undefined || !isObject(field) ? [[name, fallback]] : [[name, completed(field, {})]]
    // What has a default as a whole is whole.
    return fallback === undefined && isObject(field) && typeof value === 'object' && value !== null
      ? [[name, completed(field, value)]]
      : []
  })
  return { ...stored, ...Object.fromEntries(missing) } as Static<S>
}
