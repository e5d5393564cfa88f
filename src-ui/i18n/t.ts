import { numberFormat, pluralRule } from './intl.ts'
import { fallbackWords, type Key, locale, type Words } from './locale.ts'

export type { Key } from './locale.ts'
export type Params = Record<string, string | number>

/**
 * The text of a key in the current language, else in English. `{{name}}` is replaced by a parameter. `count`, else
 * `number`, selects the plural form (`key_one`, `key_few`, `key_other`). Numbers are formatted for the language.
 */
export function t(key: Key, params: Params = {}): string {
  return textOf(key, params) ?? key
}

/** Like `t`, for a key that may not exist, or whose words may not be loaded yet. */
export function textOf(key: string, params: Params = {}): string | undefined {
  const { code, words } = locale.value
  const count = params.count ?? params.number
  const found = find(words, key, code, count) ?? find(fallbackWords, key, 'en', count)
  return found?.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => write(params[name] ?? whole, code))
}

function find(words: Words, key: string, code: string, count: string | number | undefined): string | undefined {
  if (typeof count !== 'number') return at(words, key)
  const form = pluralRule(code).select(count)
  return at(words, `${key}_${form}`) ?? at(words, `${key}_other`) ?? at(words, key)
}

function at(words: Words, key: string): string | undefined {
  let value: string | Words | undefined = words
  for (const part of key.split('.')) value = typeof value === 'object' ? value[part] : undefined
  return typeof value === 'string' ? value : undefined
}

const write = (value: string | number, code: string): string =>
  typeof value === 'number' ? numberFormat(code).format(value) : value

// Reverse what follows: `\u202egpj.exe` would look like `exe.jpg`.
const overrides = /[\u202a-\u202e]/g

/** Wraps a name in Unicode isolates, so that it keeps its own direction in a sentence of another direction, and does not deceive in it. */
export const isolate = (name: string): string => `\u2068${name.replace(overrides, '\ufffd')}\u2069`
