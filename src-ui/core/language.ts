// The language of the page: the user's setting, else the browser's languages, if the server has a translation.
import { computed, effect, signal } from '@preact/signals-core'
import { chooseLocale, directionOf } from '../../src-server/contract/choose-locale.ts'
import { readWords } from '../api/locale-words.ts'
import { pageConfig } from '../api/page-config.ts'
import { addFormats, forgetFormats, intlCode } from '../i18n/intl.ts'
import { english, type Locale, locale } from '../i18n/locale.ts'
import { user } from './session.ts'

const loaded = new Map<string, Locale>([['en', english]])
const preferred = signal(navigator.languages ?? [])
const wanted = computed(() => {
  const own = user.value?.locale
  return chooseLocale(own ? [own] : preferred.value, ['en', ...Object.keys(pageConfig.Locales)])
})

/**
 * Sets the language of the page and keeps following the user's setting, and that of the browser.
 * @returns when the first translation is loaded; at once for English, which is part of the page
 */
export function followLanguage(page: Pick<Document, 'documentElement'>, window: EventTarget): Promise<void> {
  effect(() => {
    const { code, dir } = locale.value
    Object.assign(page.documentElement, { lang: new Intl.Locale(intlCode(code)).toString(), dir })
  })
  window.addEventListener('languagechange', () => {
    preferred.value = navigator.languages
    forgetFormats()
    // Another object, so that what is shown is written again.
    locale.value = { ...locale.peek() }
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
  // Another user may have signed in meanwhile.
  if (found && code === wanted.peek()) locale.value = found
}

/** @returns undefined when the translation could not be loaded; the page then keeps its language */
async function load(code: string): Promise<Locale | undefined> {
  try {
    const [words] = await Promise.all([readWords(pageConfig.Locales[code] as string), code === 'is' && loadIcelandic()])
    const found = { code, dir: directionOf(code), words }
    loaded.set(code, found)
    return found
  } catch (failure) {
    console.warn(failure instanceof Error ? failure.message : failure)
    return undefined
  }
}

/** Browsers built on Chromium know the plurals of Icelandic, but neither its dates nor its numbers. */
async function loadIcelandic(): Promise<void> {
  if (Intl.DateTimeFormat.supportedLocalesOf('is').length > 0) return
  const { icelandic } = await import('../i18n/icelandic.ts')
  addFormats('is', icelandic)
}
