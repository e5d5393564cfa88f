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

/** The tag of the reader that chooses the words of a locale: `de-CH` for `de`. */
type TagOfReader = (code: string) => string | undefined

let tagOfReader: TagOfReader = () => undefined

/** Writes dates and numbers as in the reader's region. Also called when the reader's languages have changed. */
export function followReader(find: TagOfReader): void {
  tagOfReader = find
  kept.clear()
}

const regional = (code: string): string => tagOfReader(code) ?? intlCode(code)

/**
 * The tag of a locale for `Intl`: that of the words, with the region where the tag alone means another one. `pt` alone is the
 * Portuguese of Brazil, whose plurals and dates differ.
 */
export const intlCode = (code: string): string => (code === 'pt' ? 'pt-PT' : code)

function keep<Format>(name: string, code: string, make: (formats: Formats, tag: string) => Format, tag = intlCode): Format {
  let found = kept.get(name) as Format | undefined
  if (!found) {
    found = make(added.get(code) ?? known, tag(code))
    kept.set(name, found)
  }
  return found
}

/** Numbers, also with a unit, as in the reader's region. @param code as of `locales/` */
export const numberFormat = (code: string, options: Intl.NumberFormatOptions = {}) =>
  keep(`number ${code} ${JSON.stringify(options)}`, code, (formats, tag) => formats.number(tag, options), regional)

/** Dates and times, as in the reader's region: 19 Nov 2026 or Nov 19, 2026. @param code as of `locales/` */
export const dateFormat = (code: string, options: Intl.DateTimeFormatOptions) =>
  keep(`date ${code} ${JSON.stringify(options)}`, code, (formats, tag) => formats.date(tag, options), regional)

/** Times seen from now. @param code as of `locales/` */
export const ageFormat = (code: string) => keep(`age ${code}`, code, (formats, tag) => formats.age(tag))

/** Enumerations with *and*. @param code as of `locales/` */
export const listFormat = (code: string) => keep(`list ${code}`, code, (formats, tag) => formats.list(tag))

/** The plural forms. Browsers know those of all languages of `locales/`. */
export const pluralRule = (code: string) => keep(`plural ${code}`, code, (_formats, tag) => new Intl.PluralRules(tag))
