import { languages } from '../../src-server/contract/languages.ts'
import { type Key, t } from '../i18n/t.ts'

const byBrowser: Key = 'settings.language.browser'

/** The choices of a language; the empty one follows the browser. */
export const languageOptions = () => [
  { value: '', label: t(byBrowser) },
  ...languages.map(([value, label]) => ({ value, label, lang: value })),
]
