import { signal } from '@preact/signals-core'
import en from '../../locales/en.json' with { type: 'json' }

/** Texts by key, nested as in i18next JSON v4. */
export type Words = { [key: string]: string | Words }

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type WithoutForm<K extends string> = K extends `${infer Stem}_${PluralForm}` ? Stem : K
type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutForm<K> : `${K}.${Leaves<T[K]>}`
}[keyof T & string]

/** The keys of en.json, dotted and without plural suffix: it defines all keys. */
export type Key = Leaves<typeof en>

/** A language with its texts. */
export type Locale = { code: string; dir: 'ltr' | 'rtl'; words: Words }

export const english: Locale = { code: 'en', dir: 'ltr', words: en }
/** The current language. */
export const locale = signal(english)
export const fallbackWords: Words = en

/** Adds English words that a lazy part brings, before the part is shown. @public what scripts/split-words.ts writes calls it */
export function addEnglish(words: Words): void {
  merge(fallbackWords, words)
}

function merge(into: Words, from: Words): void {
  for (const [key, value] of Object.entries(from)) {
    const old = into[key]
    if (typeof old === 'object' && typeof value === 'object') merge(old, value)
    else into[key] = value
  }
}
