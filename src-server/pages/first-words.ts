// What a page says before its script runs, or without one, in the language that the browser wants.
import { acceptedLanguages, chooseLocale, directionOf } from '../contract/choose-locale.ts'
import type { Assets } from './assets.ts'

/** Texts by their keys in `locales/`. */
export type EnglishTexts = Readonly<Record<string, string>>

/** A key without the form of a plural. */
type StemOf<K> = K extends `${infer Stem}_${'one' | 'other'}` ? Stem : K
/** What takes the place of `{{name}}`. `count` chooses the form of a plural. */
type Params = Readonly<Record<string, string | number>>

/** The language of a page, and the texts that it has without its script. */
export type PageWords<E extends EnglishTexts> = Readonly<{
  /** As of `locales/`. */
  code: string
  dir: 'ltr' | 'rtl'
  say(key: StemOf<keyof E & string>, params?: Params): string
}>

const english = {
  'app.loading': 'Loading',
  'app.needsScript': '{{name}} needs JavaScript.',
  'command.download': 'Download',
} as const

export type FirstWords = PageWords<typeof english>

type Texts = Readonly<Partial<Record<string, string>>>

const read = new WeakMap<Assets, Map<string, Promise<Texts>>>()

/** `languages`: the header `Accept-Language`. `codes`: the translations that the assets hold. */
type Wanted = Readonly<{ languages: string; codes: readonly string[] }>

/** The texts of the page of the interface. */
export const firstWords = (assets: Assets, wanted: Wanted): Promise<FirstWords> => pageWords(assets, wanted, english)

/** Texts in the language that a browser wants, else in English. @param given the English texts: one object for each page */
export async function pageWords<const E extends EnglishTexts>(
  assets: Assets,
  { languages, codes }: Wanted,
  given: E,
): Promise<PageWords<E>> {
  const code = chooseLocale(acceptedLanguages(languages), ['en', ...codes])
  const texts: Texts = code === 'en' ? given : await textsOf(assets, code, given)
  const numbers = new Intl.NumberFormat(intlCode(code))
  const say = (key: string, params: Params = {}) => {
    const text = textIn(texts, key, { code, params }) ?? textIn(given, key, { code: 'en', params }) ?? key
    return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
      const value = params[name] ?? whole
      return typeof value === 'number' ? numbers.format(value) : value
    })
  }
  return { code, dir: directionOf(code), say }
}

/** The language as `Intl` names it: `pt` alone is the Portuguese of Brazil. */
export const intlCode = (code: string): string => (code === 'pt' ? 'pt-PT' : new Intl.Locale(code).toString())

function textIn(texts: Texts, key: string, { code, params: { count } }: { code: string; params: Params }): string | undefined {
  if (typeof count !== 'number') return texts[key]
  return texts[`${key}_${new Intl.PluralRules(intlCode(code)).select(count)}`] ?? texts[`${key}_other`] ?? texts[key]
}

function textsOf(assets: Assets, code: string, given: EnglishTexts): Promise<Texts> {
  const kept = read.get(assets) ?? new Map<string, Promise<Texts>>()
  read.set(assets, kept)
  const key = `${code} ${Object.keys(given).join()}`
  const texts = kept.get(key) ?? readTexts(assets, code, given)
  kept.set(key, texts)
  return texts
}

/** Only the texts that are needed are kept of a locale of 70 KB. */
async function readTexts(assets: Assets, code: string, given: EnglishTexts): Promise<Texts> {
  const asset = await assets.find(assets.addressOf(`locales/${code}.json`))
  const stems = new Set(Object.keys(given).map(stemOf))
  const all = flatten(JSON.parse(String(asset?.body ?? '{}')))
  return Object.fromEntries(all.filter(([key]) => stems.has(stemOf(key))))
}

const stemOf = (key: string) => key.replace(/_(?:zero|one|two|few|many|other)$/, '')

function flatten(nested: object, prefix = ''): [key: string, text: string][] {
  return Object.entries(nested).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'string') return [[prefix + key, value]]
    return typeof value === 'object' && value !== null ? flatten(value, `${prefix}${key}.`) : []
  })
}
