// Fails when the keys of a locale differ from those of en.json, which defines the keys, when a key is not used, or when a text is
// still the English one.
import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { intlCode } from '../src-ui/i18n/intl.ts'
import { sameTexts } from './same-texts.ts'

/** Dotted key → text: 'size.bytes_one' → '{{count}} byte'. */
export type Words = Readonly<Record<string, string>>

const forms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/**
 * @param cwd the project's folder
 * @returns one sentence for each problem
 */
export async function localeProblems(cwd: string): Promise<string[]> {
  const locales = await readLocales(join(cwd, 'locales'))
  const english = locales.get('en')
  if (!english) return ['locales/en.json is missing: it defines the keys']
  const others = [...locales].filter(([code]) => code !== 'en')
  const misfits = others.flatMap(([code, words]) => [...compare(code, words, english), ...copies(code, words, english)])
  return [...pluralProblems('en', english), ...misfits, ...unused(english, await readSources(cwd))]
}

/** Missing and additional keys and placeholders of a locale, compared with en.json. */
export function compare(code: string, words: Words, english: Words): string[] {
  const [wanted, present] = [stems(english), stems(words)]
  return [
    ...[...wanted.keys()].filter((stem) => !present.has(stem)).map((stem) => `locales/${code}.json lacks ${stem}`),
    ...[...present.keys()]
      .filter((stem) => !wanted.has(stem))
      .map((stem) => `locales/${code}.json has ${stem}, which en.json lacks`),
    ...[...present].flatMap(([stem, texts]) => placeholderProblems(code, stem, texts, wanted.get(stem))),
    ...[...present].flatMap(([stem, texts]) => quoteProblems(code, stem, texts, wanted.get(stem) ?? [])),
    ...pluralProblems(code, words),
  ]
}

/**
 * Texts that were not translated, and entries of the list of exceptions that are not needed.
 * @param same English text → the locales, separated by spaces, in which the same text is right
 */
export function copies(code: string, words: Words, english: Words, same: Readonly<Record<string, string>> = sameTexts): string[] {
  const equal = Object.keys(words).filter((key) => words[key] === english[key] && hasLetters(words[key] ?? ''))
  const listed = Object.keys(same).filter((text) => same[text]?.split(' ').includes(code))
  const found = new Set(equal.map((key) => words[key]))
  return [
    ...equal
      .filter((key) => !listed.includes(words[key] ?? ''))
      .map((key) => `locales/${code}.json has the English text for ${key}: translate it, or list it in scripts/same-texts.ts`),
    ...listed
      .filter((text) => !found.has(text))
      .map((text) => `scripts/same-texts.ts lists "${text}" for ${code}, where no text is the same`),
  ]
}

/** Whether a text has more to translate than placeholders, digits and punctuation. */
const hasLetters = (text: string): boolean => /\p{L}/u.test(text.replace(/\{\{\s*\w+\s*\}\}/g, ''))

/** A plural key must have exactly the forms of its language (CLDR, from Intl). */
function pluralProblems(code: string, words: Words): string[] {
  const wanted = new Intl.PluralRules(intlCode(code)).resolvedOptions().pluralCategories
  const plurals = Map.groupBy(
    Object.keys(words).filter((key) => formOf(key)),
    stemOf,
  )
  const problems = [...plurals].flatMap(([stem, keys]) => {
    const present = keys.map((key) => formOf(key) as Intl.LDMLPluralRule)
    const missing = wanted.filter((form) => !present.includes(form)).map((form) => `lacks ${stem}_${form}`)
    const needless = present.filter((form) => !wanted.includes(form)).map((form) => `has ${stem}_${form}, a form it does not use`)
    return [...missing, ...needless]
  })
  const empty = Object.keys(words)
    .filter((key) => words[key]?.trim() === '')
    .map((key) => `has an empty text for ${key}`)
  const counted = Object.keys(words)
    .filter((key) => !formOf(key) && placeholders(words[key] ?? '').includes('count'))
    .map((key) => `has {{count}} in ${key}, which has no plural forms`)
  return [...problems, ...empty, ...counted].map((problem) => `locales/${code}.json ${problem}`)
}

function placeholderProblems(
  code: string,
  stem: string,
  texts: readonly string[],
  english: readonly string[] | undefined,
): string[] {
  if (!english) return []
  const allowed = new Set(english.flatMap(placeholders))
  // A plural form may have no number ("one file"), so a placeholder counts as used when any form has it.
  const used = new Set(texts.flatMap(placeholders))
  const unknown = [...used].filter((name) => !allowed.has(name)).map((name) => `${stem} has {{${name}}}, which en.json lacks`)
  const forgotten = [...allowed].filter((name) => !used.has(name)).map((name) => `${stem} lacks {{${name}}}`)
  return [...unknown, ...forgotten].map((problem) => `locales/${code}.json: ${problem}`)
}

/** A name that is in quotes in English is so in every language. */
function quoteProblems(code: string, stem: string, texts: readonly string[], english: readonly string[]): string[] {
  const quoted = [...new Set(english.flatMap((text) => inQuotes(text)))]
  const missing = quoted.filter((name) =>
    texts.some((text) => placeholders(text).includes(name) && !inQuotes(text).includes(name)),
  )
  return missing.map((name) => `locales/${code}.json: ${stem} lacks the quotes around {{${name}}}`)
}

const inQuotes = (text: string): string[] =>
  [...text.matchAll(/[\p{Pi}\p{Pf}\p{Ps}]\s?\{\{\s*(\w+)\s*\}\}\s?[\p{Pi}\p{Pf}\p{Pe}]/gu)].map(([, name = '']) => name)

/** Keys that no source uses, and calls of t() with a key that does not exist. */
export function unused(english: Words, sources: ReadonlyMap<string, string>): string[] {
  const known = [...stems(english).keys()]
  const used = usedStems(english, sources)
  const idle = known.filter((stem) => !used.has(stem))
  const asked = [...sources].flatMap(([file, text]) =>
    [...text.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key = '']) => ({ file, key })),
  )
  const missing = asked.filter(({ key }) => !known.includes(key))
  return [
    ...idle.map((stem) => `locales/en.json has ${stem}, which nothing in src-ui uses`),
    ...missing.map(({ file, key }) => `${file} uses ${key}, which locales/en.json lacks`),
  ]
}

/** The keys, without their plural forms, that sources name: as a text, or by a template such as `error.${code}`. */
export function usedStems(english: Words, sources: ReadonlyMap<string, string>): ReadonlySet<string> {
  const literals = new Set<string>()
  const patterns: RegExp[] = []
  for (const text of sources.values()) {
    for (const [, , literal = ''] of text.matchAll(/(['"])((?:(?!\1)[^\\\n])*)\1/g)) literals.add(literal)
    for (const [, template = ''] of text.matchAll(/`([a-z]\w*\.[\w.]*\$\{[^`]*)`/g)) patterns.push(asPattern(template))
  }
  const isUsed = (stem: string) => literals.has(stem) || patterns.some((pattern) => pattern.test(stem))
  return new Set([...stems(english).keys()].filter(isUsed))
}

/** `error.${code}` matches all keys with one more part. */
function asPattern(template: string): RegExp {
  const parts = template.split(/\$\{[^}]*\}/)
  return new RegExp(`^${parts.map((part) => part.replace(/\W/g, '\\$&')).join('[^.]+')}$`)
}

/** A key without its plural form → all its texts. */
function stems(words: Words): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [key, text] of Object.entries(words)) found.set(stemOf(key), [...(found.get(stemOf(key)) ?? []), text])
  return found
}

function formOf(key: string) {
  return forms.find((form) => key.endsWith(`_${form}`))
}

/** A key without its plural form. */
export function stemOf(key: string): string {
  const form = formOf(key)
  return form ? key.slice(0, -form.length - 1) : key
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name)
}

export type Nested = { [key: string]: string | Nested }

export function flatten(nested: Nested, prefix = ''): Words {
  const entries = Object.entries(nested).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as const] : Object.entries(flatten(value, `${prefix}${key}.`)),
  )
  return Object.fromEntries(entries)
}

/** Code → texts. @param folder that of the locales */
export async function readLocales(folder: string): Promise<Map<string, Words>> {
  const locales = new Map<string, Words>()
  for await (const name of glob('*.json', { cwd: folder }))
    locales.set(basename(name, '.json'), flatten(JSON.parse(await readFile(join(folder, name), 'utf8')) as Nested))
  return locales
}

/** The interface, and what the server says before its script runs. */
async function readSources(top: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>()
  for await (const name of glob(['src-ui/**/*.{ts,tsx}', 'src-server/pages/*.ts'], { cwd: top }))
    sources.set(name, await readFile(join(top, name), 'utf8'))
  return sources
}

if (import.meta.main) {
  const problems = await localeProblems(process.cwd())
  console.log(problems.join('\n') || 'The locales match.')
  process.exitCode = problems.length ? 1 : 0
}
