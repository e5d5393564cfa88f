// The fields of users that administrators set: how each is checked.
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { checkRules } from '../access/check-rules.ts'
import { Failure } from '../base/failure.ts'
import { parsePath } from '../base/paths.ts'
import { Locale, mostOf, Permissions, Rule, Sorting, type User, ViewMode } from '../contract/users.ts'
import { checkPassword } from './password-rules.ts'
import { checkUsername } from './user.ts'

/** The fields of a user that can be set. */
export type UserFields = Partial<Omit<User, 'id'>>

const exact = { additionalProperties: false }

const schemas: Readonly<Record<keyof UserFields, TSchema>> = {
  username: Type.String({ maxLength: 1024 }),
  password: Type.String({ maxLength: 1024 }),
  scope: Type.String({ maxLength: 4096 }),
  locale: Locale,
  lockPassword: Type.Boolean(),
  viewMode: ViewMode,
  sorting: Type.Object(Sorting.properties, exact),
  perm: Type.Object(Permissions.properties, exact),
  commands: Type.Array(Type.String({ maxLength: 255 }), { maxItems: mostOf.commands }),
  rules: Type.Array(Type.Object({ ...Rule.properties, regexp: Type.Object({ raw: Type.String() }, exact) }, exact)),
}

/** Fields of other servers of this API, which are accepted and ignored. */
const foreign = ['id', 'singleClick', 'redirectAfterCopyMove', 'hideDotfiles', 'dateFormat', 'aceEditorTheme']

/** Whether a name is a field of a user. */
export const isUserField = (name: string): name is keyof UserFields => Object.hasOwn(schemas, name)

/** @throws Failure('invalid') with the first name that is no field */
export function refuseUnknown(names: readonly unknown[]): void {
  const unknown = names.find((name) => typeof name !== 'string' || !(isUserField(name) || foreign.includes(name)))
  if (unknown !== undefined) throw new Failure('invalid', `there is no field ${String(unknown).slice(0, 100)}`)
}

/** Checks the named fields of a record. @throws Failure('invalid') naming the field */
export function readFields(data: Readonly<Record<string, unknown>>, names: readonly string[]): UserFields {
  refuseUnknown(names)
  const fields = Object.fromEntries(names.filter(isUserField).map((name) => [name, checked(name, data[name])])) as UserFields
  if (fields.username !== undefined) checkUsername(fields.username)
  if (fields.password !== undefined) checkPassword(fields.password)
  if (fields.scope !== undefined) fields.scope = scopeOf(fields.scope)
  if (fields.rules) checkRules(fields.rules)
  // Other clients send a list with one empty text when the field was emptied.
  if (fields.commands) fields.commands = fields.commands.map((command) => command.trim()).filter((command) => command !== '')
  return fields
}

function scopeOf(text: string): string {
  try {
    return parsePath(text)
  } catch (cause) {
    throw new Failure('invalid', `scope: ${cause instanceof Error ? cause.message : ''}`, { cause })
  }
}

function checked(name: keyof UserFields, value: unknown): unknown {
  const schema = schemas[name]
  if (Value.Check(schema, value)) return value
  const [error] = Value.Errors(schema, value)
  throw new Failure('invalid', `${name}${(error?.instancePath ?? '').replaceAll('/', '.')} ${error?.message ?? 'is not valid'}`)
}
