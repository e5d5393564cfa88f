// The fields of their own record that users may change, and the values of each.
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type FieldOptions, Sorting, ViewMode } from '../contract/records.ts'
import { knownLocale, Locale, type ProfileFields } from '../contract/users.ts'

/** The name of such a field. */
export type ProfileField = keyof ProfileFields

export const profileSchemas: Record<ProfileField, TSchema & FieldOptions> = {
  sorting: Sorting,
  viewMode: ViewMode,
  locale: Locale,
}

/** The names for a sentence: `sorting, viewMode and locale`. */
export const profileFields = Object.keys(profileSchemas)
  .join(', ')
  .replace(/, (?=\w+$)/, ' and ')

export const isProfileField = (name: unknown): name is ProfileField =>
  typeof name === 'string' && Object.hasOwn(profileSchemas, name)

/** Whether a value is one of those that the field may have. */
export function isValid(field: ProfileField, value: unknown): boolean {
  return Value.Check(profileSchemas[field], value)
}

/** Fields that only administrators or other calls change, in lower case. */
const guarded = ['id', 'username', 'password', 'scope', 'perm', 'commands', 'rules', 'lockpassword']

/** What every object has: never a setting. */
const ofPrototypes = ['__proto__', ...Object.getOwnPropertyNames(Object.prototype)].map((name) => name.toLowerCase())

/** Whether `which` may contain a name. Fields of other servers of this API are accepted and ignored. */
export function mayBeNamed(name: unknown): name is string {
  return (
    isProfileField(name) ||
    (typeof name === 'string' && ![...guarded, ...lowerCaseFields, ...ofPrototypes].includes(name.toLowerCase()))
  )
}

/** `Locale` is refused: accepting it without changing `locale` would mislead the client. */
const lowerCaseFields = Object.keys(profileSchemas).map((name) => name.toLowerCase())

/**
 * Maps values of other servers of this API: their third view becomes `mosaic`, an empty one `list`, an order by nothing the usual one,
 * `sv` becomes `sv-se`, an unknown language ''.
 */
export function mapped(field: ProfileField, value: unknown): unknown {
  if (field === 'viewMode') return viewModes.get(value) ?? value
  if (field === 'locale' && typeof value === 'string') return knownLocale(value)
  if (field === 'sorting') return Value.Check(NoSorting, value) ? { by: 'name', asc: true } : value
  return value
}

const viewModes = new Map<unknown, ViewMode>([
  ['mosaic gallery', 'mosaic'],
  ['', 'list'],
])

/** What those servers show as long as nobody has chosen an order. `asc` says nothing then: false is A to Z there. */
const NoSorting = Type.Object({ by: Type.Literal(''), asc: Type.Boolean() })
