import { signal } from '@preact/signals-core'
import en from '../../locales/en.json' with { type: 'json' }

/** Words by dotted key, as an i18next JSON v4 file nests them. */
export type Words = { [key: string]: string | Words }

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type WithoutForm<K extends string> = K extends `${infer Stem}_${PluralForm}` ? Stem : K
type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutForm<K> : `${K}.${Leaves<T[K]>}`
}[keyof T & string]

/** Every key of en.json, which is the list of keys. */
export type Key = Leaves<typeof en>

export type Locale = { code: string; dir: 'ltr' | 'rtl'; words: Words }

export const english: Locale = { code: 'en', dir: 'ltr', words: en }
/** The language of the page, and in which direction it is read. */
export const locale = signal(english)
export const fallbackWords: Words = en

/** Of the languages that there are words for, Arabic alone is read from right to left. */
export const directionOf = (code: string): Locale['dir'] => (code === 'ar' ? 'rtl' : 'ltr')
