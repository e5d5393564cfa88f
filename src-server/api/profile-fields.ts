// What people may change of their own record, and what each of it may be.
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Locale, localeCodes, type ProfileFields, Sorting, ViewMode } from '../contract/users.ts'

type Field = keyof ProfileFields

const fields: Record<Field, { schema: TSchema; words: string }> = {
  sorting: { schema: Sorting, words: 'sorting has by, which is name, size or modified, and asc, which is true or false' },
  viewMode: { schema: ViewMode, words: 'viewMode is mosaic or list' },
  locale: { schema: Locale, words: `locale is empty or one of ${localeCodes.filter(Boolean).join(', ')}` },
}

/** For a sentence: `sorting, viewMode and locale`. */
export const profileFields = Object.keys(fields)
  .join(', ')
  .replace(/, (?=\w+$)/, ' and ')

export const isProfileField = (name: unknown): name is Field => typeof name === 'string' && Object.hasOwn(fields, name)

/** @returns what the value should be, when it is something else */
export function validationError(field: Field, value: unknown): string | undefined {
  const { schema, words } = fields[field]
  return Value.Check(schema, value) ? undefined : words
}
