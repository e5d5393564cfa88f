import { type Key, t } from '../i18n/t.ts'

/** The languages of the interface, each with its own name, in the order of these names. */
const languages: readonly (readonly [code: string, name: string])[] = [
  ['de', 'Deutsch'],
  ['en', 'English'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['is', 'Íslenska'],
  ['it', 'Italiano'],
  ['nl-be', 'Nederlands (België)'],
  ['pl', 'Polski'],
  ['pt', 'Português'],
  ['pt-br', 'Português (Brasil)'],
  ['ro', 'Română'],
  ['sv-se', 'Svenska'],
  ['ru', 'Русский'],
  ['ar', 'العربية'],
  ['ja', '日本語'],
  ['ko', '한국어'],
  ['zh-cn', '简体中文'],
  ['zh-tw', '繁體中文'],
]

const byBrowser: Key = 'settings.language.browser'

/** The choices of a language; the empty one follows the browser. */
export const languageOptions = () => [
  { value: '', label: t(byBrowser) },
  ...languages.map(([value, label]) => ({ value, label, lang: value })),
]
