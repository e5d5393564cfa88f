// The fields of a user in the body of a call, and the values of each.
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { noPermissions } from '../access/permissions.ts'
import { matcherOf, mostExpressions, mostPathRules, type Rule } from '../access/rules.ts'
import { Failure, refusedField } from '../base/failure.ts'
import { parsePath } from '../base/paths.ts'
import { type FieldOptions, UserRecord } from '../contract/records.ts'
import { ShownRule, type UserFields } from '../contract/users.ts'
import { isProfileField, isValid, mapped, profileSchemas } from './profile-fields.ts'

type Field = keyof UserFields

const { id: _, changedAt: __, locale: ___, accessEpoch: ____, formerNames: _____, ...records } = UserRecord.properties
const others: Record<string, TSchema & FieldOptions> = records

/** What other servers of this API keep in a user, and what their page sends besides (so spelled): accepted and ignored. */
const ignored = ['id', 'singleClick', 'redirectAfterCopyMove', 'hideDotfiles', 'dateFormat', 'aceEditorTheme', 'passsword']

export const isUserField = (name: unknown): name is Field =>
  isProfileField(name) || (typeof name === 'string' && Object.hasOwn(others, name))

/** All fields of a record. @throws Failure('invalid') naming the first that is unknown or has another value */
export function readAll(data: Readonly<Record<string, unknown>>): UserFields {
  const unknown = Object.keys(data).find((name) => !isUserField(name) && !ignored.includes(name))
  if (unknown !== undefined) throw unknownField(unknown, 'is no field of a user')
  return readFields(data, Object.keys(data).filter(isUserField))
}

/** The named fields of a record. @throws Failure('invalid') naming the first that has another value */
export function readFields(data: Readonly<Record<string, unknown>>, names: readonly Field[]): UserFields {
  return Object.fromEntries(names.map((name) => [name, read(name, Object.hasOwn(data, name) ? data[name] : undefined)]))
}

/** The password of who asks for a change; undefined when none was sent. @throws Failure('invalid') */
export function currentPasswordIn(body: unknown): string | undefined {
  const { current_password: given } = body as { current_password?: unknown }
  if (given !== undefined && typeof given !== 'string') throw refusedField('current_password', 'is a text')
  return given
}

/** A name of the caller's in a sentence. */
export function printable(name: unknown): string {
  // A list may be nested too deep to be made a text.
  if (typeof name === 'object' && name !== null) return Array.isArray(name) ? 'a list' : 'an object'
  return JSON.stringify(String(name).slice(0, longestShown))
}

/** Characters of a name of the caller's. */
const longestShown = 64

/** The refusal of a value: the words of the field's schema say what would be right. */
export function fieldFailure(field: string, { words = '', about }: FieldOptions, options: ErrorOptions = {}): Failure {
  return refusedField(field, words, about, options)
}

/** The refusal of a name that no field has. @param place of the name: '' or `branding.` */
export function unknownField(name: string, words: string, place = ''): Failure {
  const about = { field: `${place}${name.slice(0, longestShown)}`, name: `${place}${printable(name)}` }
  return new Failure('invalid', `{{name}} ${words}`, { about })
}

function read(name: Field, given: unknown): unknown {
  if (isProfileField(name)) {
    const value = mapped(name, given)
    if (!isValid(name, value)) throw fieldFailure(name, profileSchemas[name])
    return value
  }
  const field = others[name] as TSchema & FieldOptions
  const { sent: schema = field } = field
  const value = completed(name, given)
  if (!Value.Check(schema, value)) throw fieldFailure(name, field)
  // Only the fields of the schema: what else an object brings is not stored.
  return kept(name, Value.Clean(schema, structuredClone(value)))
}

/** What File Browser takes too: null for an empty list, and rules and permissions that are not complete. */
function completed(name: Field, given: unknown): unknown {
  if (given === null && (name === 'commands' || name === 'rules')) return []
  if (name === 'rules' && Array.isArray(given)) return given.map(completeRule)
  // One that is missing is not given. A misspelt one is refused.
  if (name === 'perm' && hasOnly(given, Object.keys(noPermissions))) return { ...noPermissions, ...given }
  return given
}

/** Only what the rule does not use may be missing: an empty path or expression would match everything. */
function completeRule(rule: unknown): unknown {
  if (!hasOnly(rule, ruleParts)) return rule
  const { regex, path, regexp } = rule
  if (regex === false && path !== '' && (isMissing(regexp) || hasOnly(regexp, []))) return { ...rule, regexp: { raw: '' } }
  if (regex === true && isMissing(path) && Value.Check(Expression, regexp)) return { ...rule, path: '' }
  return rule
}

const ruleParts = Object.keys(ShownRule.properties)
const Expression = Type.Object({ raw: Type.String({ minLength: 1 }) })

const isMissing = (value: unknown) => value === undefined || value === null

/** Whether a value is an object without other fields than these. */
function hasOnly(value: unknown, names: readonly string[]): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value).every((name) => names.includes(name))
}

function kept(name: Field, value: unknown): unknown {
  if (name === 'scope') return scopeOf(value as string)
  // An empty one comes from older clients for an empty field.
  if (name === 'commands') return (value as string[]).filter((command) => command !== '')
  if (name === 'rules') return checkedRules(value as Rule[])
  return value
}

/** `./bob`, `bob` and `/bob` are one folder of the served root; empty is the root. */
function scopeOf(text: string): string {
  try {
    return parsePath(
      `/${text
        .split('/')
        .filter((part) => part !== '' && part !== '.')
        .join('/')}`,
    )
  } catch (cause) {
    throw fieldFailure('scope', others.scope ?? {}, { cause })
  }
}

function checkedRules(rules: readonly Rule[]): readonly Rule[] {
  const expressions = rules.filter(({ regex }) => regex).length
  if (expressions > mostExpressions)
    throw refusedField('rules', 'has at most {{number}} expressions', { number: mostExpressions })
  if (rules.length - expressions > mostPathRules)
    throw refusedField('rules', 'has at most {{number}} paths', { number: mostPathRules })
  for (const rule of rules) compileNamed(rule)
  return rules
}

function compileNamed(rule: Rule) {
  try {
    matcherOf(rule)
  } catch (cause) {
    const text = rule.regex ? rule.regexp.raw : rule.path
    const kind = rule.regex ? 'expression of RE2' : 'path'
    throw refusedField('rules', `has "{{rule}}", which is no ${kind}`, { rule: text }, { cause })
  }
}
