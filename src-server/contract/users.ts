import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'

export const Permissions = Type.Object({
  admin: Type.Boolean(),
  execute: Type.Boolean(),
  create: Type.Boolean(),
  rename: Type.Boolean(),
  modify: Type.Boolean(),
  delete: Type.Boolean(),
  share: Type.Boolean(),
  download: Type.Boolean(),
})

export const Sorting = Type.Object({
  by: Type.Union([Type.Literal('name'), Type.Literal('size'), Type.Literal('modified')]),
  /** true: A to Z, small to large, old to new. */
  asc: Type.Boolean(),
})
export type Sorting = Static<typeof Sorting>

export const ViewMode = Type.Union([Type.Literal('mosaic'), Type.Literal('list')])
export type ViewMode = Static<typeof ViewMode>

/** The languages of the interface; '' follows the browser. */
export const localeCodes = [
  '',
  ...['ar', 'de', 'en', 'es', 'fr', 'is', 'it', 'ja', 'ko'],
  ...['nl-be', 'pl', 'pt', 'pt-br', 'ro', 'ru', 'sv-se', 'zh-cn', 'zh-tw'],
]
export const Locale = Type.Unsafe<string>(Type.Union(localeCodes.map((code) => Type.Literal(code))))

/** The fields of their own record that users may change. */
export type ProfileFields = { sorting?: Sorting; viewMode?: ViewMode; locale?: string }

/** The user in the payload of a token, for display only: the server reads the user from the state on every request. */
export const TokenUser = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  locale: Type.String(),
  viewMode: ViewMode,
  sorting: Sorting,
  perm: Permissions,
  commands: Type.Array(Type.String()),
  lockPassword: Type.Boolean(),
})
export type TokenUser = Static<typeof TokenUser>

/** The most entries of the lists of a user, and how many users a server has. */
export const mostOf = { users: 1000, pathRules: 1000, expressions: 100, commands: 1000 } as const

/** A rule: the last one that matches a path decides. */
export const Rule = Type.Object({
  allow: Type.Boolean(),
  /** Whole segments from the root of the user's scope; used when `regex` is false. */
  path: Type.String({ maxLength: 4096 }),
  regex: Type.Boolean(),
  /** An expression of RE2; used when `regex` is true. */
  regexp: Type.Object({ raw: Type.String({ maxLength: 4096 }) }),
})
export type Rule = Static<typeof Rule>

/** A user. The password is always '' in answers, and the scope is '' for users who are no administrators. */
export const User = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  password: Type.String(),
  scope: Type.String(),
  locale: Type.String(),
  lockPassword: Type.Boolean(),
  viewMode: ViewMode,
  sorting: Sorting,
  perm: Permissions,
  commands: Type.Array(Type.String()),
  rules: Type.Array(Rule),
})
export type User = Static<typeof User>

/** A change of a user. The handler checks the fields, because its errors say what would be valid. */
export const UserChange = Type.Object({
  /** `user` */
  what: Type.Optional(Type.String()),
  /** The fields of `data` to change; the others are ignored. `all`, or none: the whole record, for administrators. Empty for a new user. */
  which: Type.Optional(Type.Unsafe<readonly (keyof User | 'all')[]>({})),
  /** Of a new user `username` and `password` are needed; the rest has the defaults of the settings. An empty password keeps the old one. */
  data: Type.Optional(Type.Unsafe<Partial<User>>({})),
  /** The password of the caller. Checked whenever it is sent. */
  current_password: Type.Optional(Type.Unsafe<string>({})),
})

const UserParams = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'the id of a user is a whole number from 1' }),
})

/** A session of the caller. Times are seconds since the epoch. */
export const Session = Type.Object({
  id: Type.String(),
  /** The IP address at the sign-in; '' when it is not known. */
  address: Type.String(),
  /** The `User-Agent` at the sign-in; '' when it is not known. */
  userAgent: Type.String(),
  createdAt: Type.Integer(),
  /** Exact to ten minutes. */
  usedAt: Type.Integer(),
  /** Whether this request belongs to it. */
  current: Type.Boolean(),
})
export type Session = Static<typeof Session>

const SessionParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: 'the id of a session is a text of at most 64 characters' }),
})

export const userEndpoints = {
  'GET /api/sessions': { access: 'user', listing: Type.Array(Session) },
  /** Ends all sessions of the caller except this one. */
  'DELETE /api/sessions': { access: 'user' },
  'DELETE /api/sessions/:id': { access: 'user', params: SessionParams },
  /** By id. */
  'GET /api/users': { access: 'admin', listing: Type.Array(User) },
  /** Users themselves and administrators. */
  'GET /api/users/:id': { access: 'user', params: UserParams, reply: User },
  /** 201 with `Location: /settings/users/<id>`. */
  'POST /api/users': { access: 'admin', body: UserChange },
  'DELETE /api/users/:id': { access: 'admin', params: UserParams, body: Type.Unsafe<{ current_password?: string }>({}) },
  'PUT /api/users/:id': { access: 'user', params: UserParams, body: UserChange },
} as const satisfies Record<string, Endpoint>
