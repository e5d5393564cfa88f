// What the interface says in another language, found by its English text.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { flatten, type Nested, stemOf, type Words } from '../../scripts/check-locales.ts'
import { intlCode } from '../../src-ui/i18n/intl.ts'

const read = new Map<string, Words>()

/** The texts of a locale by dotted key. @param code as of `locales/` */
export function wordsOf(code: string): Words {
  const file = resolve(import.meta.dirname, `../../locales/${code}.json`)
  const words = read.get(code) ?? flatten(JSON.parse(readFileSync(file, 'utf8')) as Nested)
  read.set(code, words)
  return words
}

/**
 * The text of a locale for an English text of the interface, whose parameters are kept: `Edit ann`.
 * @throws Error when no key has this English text
 */
export function translate(code: string, english: string): string {
  const texts = Object.entries(wordsOf('en'))
  const key = (texts.find(([, text]) => text === english) ?? texts.find(([, text]) => valuesIn(text, english)))?.[0]
  if (!key) throw new Error(`no text of locales/en.json is "${english}"`)
  const values = valuesIn(wordsOf('en')[key] ?? '', english) ?? {}
  const form = new Intl.PluralRules(intlCode(code)).select(Number(values.count ?? 1))
  const words = wordsOf(code)
  const text = words[key === stemOf(key) ? key : `${stemOf(key)}_${form}`] ?? ''
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}

/** The parameters of a text with placeholders. @returns undefined when the text does not fit */
function valuesIn(template: string, text: string): Record<string, string> | undefined {
  // A text that is only a placeholder would fit everything.
  if (!/\p{L}/u.test(template.replace(/\{\{\w+\}\}/g, ''))) return undefined
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\{(\w+)\}\}/g, '(?<$1>.+)')
  return new RegExp(`^${pattern}$`).exec(text)?.groups
}
