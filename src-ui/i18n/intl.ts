// The formats of each language. Making one takes a hundred times as long as using it, and scrolling a listing needs thousands, so
// each is kept.

/** What formats numbers, dates and lists of a language. `Intl`, for the languages that the browser knows. */
export type Formats = Readonly<{
  number(code: string, options: Intl.NumberFormatOptions): { format(value: number): string }
  date(code: string, options: Intl.DateTimeFormatOptions): { format(date: Date): string }
  age(code: string): { format(value: number, unit: Intl.RelativeTimeFormatUnit): string }
  list(code: string): { format(items: string[]): string }
}>

const known: Formats = {
  number: (code, options) => new Intl.NumberFormat(code, options),
  date: (code, options) => new Intl.DateTimeFormat(code, options),
  age: (code) => new Intl.RelativeTimeFormat(code, { numeric: 'auto' }),
  list: (code) => new Intl.ListFormat(code),
}

const added = new Map<string, Formats>()
const kept = new Map<string, unknown>()

/** Uses formats of our own for a language that the browser does not know. */
export function addFormats(code: string, formats: Formats): void {
  added.set(code, formats)
  kept.clear()
}

/** The browser's languages have changed, and with them the reader's region. */
export const forgetFormats = (): void => kept.clear()

/**
 * The tag of a locale for `Intl`: that of the words, with the region where the tag alone means another one. `pt` alone is the
 * Portuguese of Brazil, whose plurals and dates differ.
 */
export const intlCode = (code: string): string => (code === 'pt' ? 'pt-PT' : code)

/** The reader's own tag of a language: `de-CH` writes 1’234, `en-GB` 19 Nov 2026. A locale of one region keeps it. */
const regional = (tag: string): string => navigator.languages?.find((language) => language.startsWith(`${tag}-`)) ?? tag

function keep<Format>(name: string, code: string, make: (formats: Formats, code: string) => Format): Format {
  let found = kept.get(name) as Format | undefined
  if (!found) {
    found = make(added.get(code) ?? known, regional(intlCode(code)))
    kept.set(name, found)
  }
  return found
}

/** Numbers, also with a unit. @param code as of `locales/` */
export const numberFormat = (code: string, options: Intl.NumberFormatOptions = {}) =>
  keep(`number ${code} ${JSON.stringify(options)}`, code, (formats, tag) => formats.number(tag, options))

/** Dates and times. @param code as of `locales/` */
export const dateFormat = (code: string, options: Intl.DateTimeFormatOptions) =>
  keep(`date ${code} ${JSON.stringify(options)}`, code, (formats, tag) => formats.date(tag, options))

/** Times seen from now. @param code as of `locales/` */
export const ageFormat = (code: string) => keep(`age ${code}`, code, (formats, tag) => formats.age(tag))

/** Enumerations with *and*. @param code as of `locales/` */
export const listFormat = (code: string) => keep(`list ${code}`, code, (formats, tag) => formats.list(tag))

/**
 * The order of names: `2` comes before `10`. Without the reader's region, which the server does not know either.
 * @param code as of `locales/`; '' for the browser's
 */
export const nameOrder = (code: string) =>
  keep(`names ${code}`, code, () => new Intl.Collator(intlCode(code) || undefined, { numeric: true }))

/** The plural forms. Browsers know those of all languages of `locales/`. */
export const pluralRule = (code: string) => keep(`plural ${code}`, code, (_formats, tag) => new Intl.PluralRules(tag))
