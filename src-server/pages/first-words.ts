// What the page says before its script runs, in the language that the browser wants.
import { acceptedLanguages, chooseLocale, directionOf } from '../contract/choose-locale.ts'
import type { Assets } from './assets.ts'

/** The language of a page, and the texts that it has without its script. */
export type FirstWords = Readonly<{
  /** As of `locales/`. */
  code: string
  dir: 'ltr' | 'rtl'
  /** A key of `locales/` → its text. `name` replaces `{{name}}`. */
  say(key: FirstKey, name?: string): string
}>

const english = {
  'app.loading': 'Loading',
  'app.needsScript': '{{name}} needs JavaScript.',
  'command.download': 'Download',
} as const

type FirstKey = keyof typeof english
type Texts = Readonly<Partial<Record<FirstKey, string>>>

const read = new WeakMap<Assets, Map<string, Promise<Texts>>>()

/** `languages`: the header `Accept-Language`. `codes`: the translations that the assets hold. */
type Wanted = Readonly<{ languages: string; codes: readonly string[] }>

/** The texts in the language that a browser wants, else in English. */
export async function firstWords(assets: Assets, { languages, codes }: Wanted): Promise<FirstWords> {
  const code = chooseLocale(acceptedLanguages(languages), ['en', ...codes])
  const texts: Texts = code === 'en' ? english : await textsOf(assets, code)
  const say = (key: FirstKey, name = '') => (texts[key] ?? english[key]).replace(/\{\{\s*name\s*\}\}/, () => name)
  return { code, dir: directionOf(code), say }
}

function textsOf(assets: Assets, code: string): Promise<Texts> {
  const kept = read.get(assets) ?? new Map<string, Promise<Texts>>()
  read.set(assets, kept)
  const texts = kept.get(code) ?? readTexts(assets, code)
  kept.set(code, texts)
  return texts
}

/** Only the texts that are needed are kept of a locale of 70 KB. */
async function readTexts(assets: Assets, code: string): Promise<Texts> {
  const asset = await assets.find(assets.addressOf(`locales/${code}.json`))
  const words = JSON.parse(String(asset?.body ?? '{}')) as Record<string, Record<string, unknown> | undefined>
  const text = (key: string) => {
    const [section = '', name = ''] = key.split('.')
    return words[section]?.[name]
  }
  const found = Object.keys(english).map((key) => [key, text(key)] as const)
  return Object.fromEntries(found.filter(([, value]) => typeof value === 'string')) as Texts
}
