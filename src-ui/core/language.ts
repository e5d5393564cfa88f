// The language of the page: the account's, else the browser's, of those that the server has words for.
import { computed, effect } from '@preact/signals-core'
import { readWords } from '../api/locale-words.ts'
import { pageConfig } from '../api/page-config.ts'
import { chooseLocale } from '../i18n/choose-locale.ts'
import { directionOf, english, type Locale, locale } from '../i18n/locale.ts'
import { user } from './session.ts'

const loaded = new Map<string, Locale>([['en', english]])
const wanted = computed(() => {
  const own = user.value?.locale
  return chooseLocale(own ? [own] : (navigator.languages ?? []), ['en', ...Object.keys(pageConfig.Locales)])
})

/**
 * Speaks the reader's language from now on, also when the account's changes, and tells the page's element.
 * @returns when the first words are there: at once for English, which is always at hand
 */
export function followLanguage(page: Pick<Document, 'documentElement'>): Promise<void> {
  effect(() => {
    const { code, dir } = locale.value
    Object.assign(page.documentElement, { lang: new Intl.Locale(code).toString(), dir })
  })
  let first: Promise<void> | undefined
  effect(() => {
    const speaking = speak(wanted.value)
    first ??= speaking
  })
  return first ?? Promise.resolve()
}

async function speak(code: string): Promise<void> {
  const found = loaded.get(code) ?? (await load(code))
  // Somebody else may have signed in while the words were on their way.
  if (found && code === wanted.peek()) locale.value = found
}

/** @returns undefined when the words could not be had: then the page goes on in the language that it has */
async function load(code: string): Promise<Locale | undefined> {
  try {
    const words = await readWords(pageConfig.Locales[code] as string)
    const found = { code, dir: directionOf(code), words }
    loaded.set(code, found)
    return found
  } catch (failure) {
    console.warn(failure instanceof Error ? failure.message : failure)
    return undefined
  }
}
