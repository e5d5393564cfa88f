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

/** A change of a user. The handler checks the fields, because its errors say what would be valid. */
export const UserChange = Type.Object({
  /** `user` */
  what: Type.Optional(Type.String()),
  /** The fields of `data` to change; the others are ignored. */
  which: Type.Optional(Type.Unsafe<readonly (keyof ProfileFields)[]>({})),
  data: Type.Optional(Type.Unsafe<{ id: number } & ProfileFields>({})),
})

const UserParams = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'the id of a user is a whole number from 1' }),
})

export const userEndpoints = {
  'PUT /api/users/:id': { access: 'user', params: UserParams, body: UserChange },
} as const satisfies Record<string, Endpoint>
