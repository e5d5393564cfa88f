// What people may change of their own record, and what each of it may be.
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Locale, localeCodes, type ProfileFields, Sorting, ViewMode } from '../contract/users.ts'

export type ProfileField = keyof ProfileFields

const fields: Record<ProfileField, { schema: TSchema; words: string }> = {
  sorting: { schema: Sorting, words: 'sorting has by, which is name, size or modified, and asc, which is true or false' },
  viewMode: { schema: ViewMode, words: 'viewMode is mosaic or list' },
  locale: { schema: Locale, words: `locale is empty or one of ${localeCodes.filter(Boolean).join(', ')}` },
}

/** For a sentence: `sorting, viewMode and locale`. */
export const profileFields = Object.keys(fields)
  .join(', ')
  .replace(/, (?=\w+$)/, ' and ')

export const isProfileField = (name: unknown): name is ProfileField => typeof name === 'string' && Object.hasOwn(fields, name)

/** @returns what the value should be, when it is something else */
export function validationError(field: ProfileField, value: unknown): string | undefined {
  const { schema, words } = fields[field]
  return Value.Check(schema, value) ? undefined : words
}

/** Fields of a record that only administrators change, or a call of their own. */
const guarded = ['id', 'username', 'password', 'scope', 'perm', 'commands', 'rules', 'lockpassword']

/** Whether `which` may name it: fields that other releases have besides are taken, and change nothing here. */
export function mayBeNamed(name: unknown): name is string {
  return isProfileField(name) || (typeof name === 'string' && ![...guarded, ...lowerCaseFields].includes(name.toLowerCase()))
}

/** `Locale` is none of ours: to take it and change nothing would deceive. */
const lowerCaseFields = Object.keys(fields).map((name) => name.toLowerCase())

/** A value as ours, where another release has more of them: its third view is a mosaic, a language without words is none. */
export function mapped(field: ProfileField, value: unknown): unknown {
  if (field === 'viewMode' && value === 'mosaic gallery') return 'mosaic'
  if (field === 'locale' && typeof value === 'string') return knownLocale(value)
  return value
}

function knownLocale(code: string): string {
  const known = code.toLowerCase().replace('_', '-')
  return localeCodes.includes(known) ? known : ''
}
