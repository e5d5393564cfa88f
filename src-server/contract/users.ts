import { type Static, Type } from 'typebox'
import { chooseLocale } from './choose-locale.ts'
import type { Endpoint } from './endpoint.ts'
import { languages } from './languages.ts'
import { Sorting, UserRecord, UserRule, ViewMode } from './records.ts'

export { Sorting, UserRule, ViewMode }

/** The codes of the languages of the interface; '' follows the browser. */
export const localeCodes: readonly string[] = ['', ...languages.map(([code]) => code).toSorted()]
export const Locale = Type.Unsafe<string>(
  Type.Union(
    localeCodes.map((code) => Type.Literal(code)),
    { words: `is empty or one of ${localeCodes.filter(Boolean).join(', ')}` },
  ),
)

/** The language of an account for a code of another server: `sv` is `sv-se`, an unknown one ''. */
export function knownLocale(code: string): string {
  const tag = code.replace('_', '-')
  const chosen = chooseLocale([tag], localeCodes.filter(Boolean))
  // What is chosen for want of another is not the person's language.
  return chosen === 'en' && !/^en(-|$)/i.test(tag) ? '' : chosen
}

/** The fields of their own record that users may change. */
export type ProfileFields = { sorting?: Sorting; viewMode?: ViewMode; locale?: string }

/** The user in the payload of a token, for display only: the server reads the user from the state on every request. */
export const TokenUser = Type.Pick(UserRecord, [
  ...(['id', 'username', 'locale', 'viewMode', 'sorting', 'perm', 'commands', 'lockPassword'] as const),
])
export type TokenUser = Static<typeof TokenUser>

/** A rule as it is shown. */
export const ShownRule = Type.Object({
  ...UserRule.properties,
  /** Why the rule cannot be applied, such as one that was written into the state by hand. */
  problem: Type.Optional(Type.String()),
})
export type ShownRule = Static<typeof ShownRule>

/** A user as administrators see them. */
export const User = Type.Object({
  ...Type.Omit(UserRecord, ['changedAt', 'accessEpoch', 'formerNames', 'rules']).properties,
  /** Always ''. */
  password: Type.String(),
  /** A path below the server's root; '' in one's own record of somebody who is no administrator. */
  scope: Type.String(),
  rules: Type.Array(ShownRule),
})
export type User = Static<typeof User>

/** The fields of a user that a change may set; an empty password keeps the old one. */
export type UserFields = Partial<Omit<User, 'id'>>

/** A change of a user. The handler checks the fields, because its errors say what would be valid. */
export const UserChange = Type.Object({
  /** `user` */
  what: Type.Optional(Type.String()),
  /** The fields of `data` to change; the others are ignored. `all` or none: all fields that `data` has. */
  which: Type.Optional(Type.Unsafe<readonly (keyof UserFields | 'all')[]>({})),
  data: Type.Optional(Type.Unsafe<{ id?: number } & UserFields>({})),
  /** The password of who changes; checked when it is sent. */
  current_password: Type.Optional(Type.Unsafe<string>({})),
})

const UserParams = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'the id of a user is a whole number from 1' }),
})

export const userEndpoints = {
  /** All users, by id. */
  'GET /api/users': { access: 'admin', reply: Type.Array(User) },
  /** One's own record, and for administrators that of everybody. */
  'GET /api/users/:id': { access: 'user', params: UserParams, reply: User },
  /** Answers 201 with the address of the user's page in `Location`. */
  'POST /api/users': { access: 'admin', body: UserChange, changesAccess: true },
  'PUT /api/users/:id': { access: 'user', params: UserParams, body: UserChange, changesAccess: true },
  'DELETE /api/users/:id': { access: 'admin', params: UserParams, changesAccess: true },
} as const satisfies Record<string, Endpoint>
