import { numberFormat, pluralRule } from './intl.ts'
import { fallbackWords, type Key, locale, type Words } from './locale.ts'

export type { Key } from './locale.ts'
export type Params = Record<string, string | number>

/**
 * The words for a key in the reader's language, else in English. `{{name}}` stands for a parameter; with `count`
 * the plural form of the language is chosen (`key_one`, `key_few`, `key_other`) and the number is written its way.
 */
export function t(key: Key, params: Params = {}): string {
  const { code, words } = locale.value
  const found = find(words, key, code, params.count) ?? find(fallbackWords, key, 'en', params.count) ?? key
  return found.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => write(params[name] ?? whole, code))
}

function find(words: Words, key: string, code: string, count: string | number | undefined): string | undefined {
  if (typeof count !== 'number') return at(words, key)
  const form = pluralRule(code).select(count)
  return at(words, `${key}_${form}`) ?? at(words, `${key}_other`) ?? at(words, key)
}

function at(words: Words, key: string): string | undefined {
  let here: string | Words | undefined = words
  for (const part of key.split('.')) here = typeof here === 'object' ? here[part] : undefined
  return typeof here === 'string' ? here : undefined
}

const write = (value: string | number, code: string): string =>
  typeof value === 'number' ? numberFormat(code).format(value) : value

/** Keeps a name's own direction inside a sentence of another. */
export const isolate = (name: string): string => `\u2068${name}\u2069`
