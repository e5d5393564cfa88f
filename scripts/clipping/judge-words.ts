// Compares the texts of a page with the translations: texts that stayed English, keys in place of texts, names without isolates.
import { directionOf } from '../../src-server/contract/choose-locale.ts'
import { stemOf, type Words } from '../check-locales.ts'

export type WordProblem = { kind: 'English' | 'key' | 'not isolated'; text: string; detail: string }

/** The judge of one language. */
export class WordJudge {
  readonly #keys: ReadonlySet<string>
  readonly #english: ReadonlyMap<string, string[]>
  readonly #templates: readonly Template[]
  readonly #own: ReadonlyMap<string, string[]>
  readonly #ownTexts: ReadonlySet<string>
  readonly #ownTemplates: readonly Template[]
  readonly #isEnglish: boolean
  readonly #isRightToLeft: boolean
  readonly #known = new Map<string, WordProblem | undefined>()

  constructor(code: string, words: Words, english: Words) {
    this.#keys = new Set(Object.keys(english).map(stemOf))
    this.#isEnglish = code === 'en'
    this.#isRightToLeft = directionOf(code) === 'rtl'
    this.#english = byText(english)
    this.#templates = templatesOf(english)
    this.#own = textsByStem(words)
    this.#ownTexts = new Set(Object.values(words))
    this.#ownTemplates = templatesOf(words)
  }

  /** @returns what is wrong with a text of the interface */
  problemOf(text: string): WordProblem | undefined {
    if (!this.#known.has(text)) this.#known.set(text, this.#judge(text))
    return this.#known.get(text)
  }

  /** @returns the translation of a text that stayed English, the longest of its forms, with the same values */
  translationOf(text: string): string | undefined {
    const known = this.#english.get(text)?.[0]
    if (known) return longest(this.#own.get(known) ?? [])
    for (const { stem, pattern, names } of this.#templates) {
      const values = pattern.exec(text)?.slice(1)
      if (!values) continue
      const found = longest(this.#own.get(stem) ?? [])
      return found?.replace(anyPlaceholder, (whole, name: string) => values[names.indexOf(name)] ?? whole)
    }
    return undefined
  }

  #judge(text: string): WordProblem | undefined {
    if (this.#keys.has(text) && text.includes('.')) return { kind: 'key', text, detail: 'a key instead of its text' }
    if (/\{\{\w+\}\}/.test(text)) return { kind: 'key', text, detail: 'a placeholder without its value' }
    if (this.#isEnglish) return undefined
    return this.#leftOver(text) ?? (this.#isRightToLeft ? this.#bare(text) : undefined)
  }

  #leftOver(text: string): WordProblem | undefined {
    const stems = this.#english.get(text) ?? this.#templates.filter(({ pattern }) => pattern.test(text)).map(({ stem }) => stem)
    if (stems.length === 0) return undefined
    // A text may be the translation of another one: Italian calls the downloads of a link "Download".
    if (this.#ownTexts.has(text) || this.#ownTemplates.some(({ pattern }) => pattern.test(text))) return undefined
    return { kind: 'English', text, detail: `the text of ${stems.join(' or ')}` }
  }

  /** A name in Latin letters would give its direction to the punctuation beside it. */
  #bare(text: string): WordProblem | undefined {
    for (const { stem, pattern } of this.#ownTemplates) {
      const values = pattern.exec(text)?.slice(1) ?? []
      const bare = values.find((value) => /[a-z]/i.test(value.replaceAll(isolated, '')) && !abbreviation.test(value))
      if (bare) return { kind: 'not isolated', text, detail: `"${bare}" in ${stem}` }
    }
    return undefined
  }
}

const isolated = /[\u2066-\u2068][^\u2069]*\u2069/g
/** MD5, SHA-256: they have no punctuation at an end. */
const abbreviation = /^[A-Z][A-Z0-9-]*[A-Z0-9]$/

type Template = { stem: string; pattern: RegExp; names: string[] }

const placeholder = /\{\{\s*\w+\s*\}\}/
const anyPlaceholder = /\{\{\s*(\w+)\s*\}\}/g

/** Templates that have enough letters of their own to be known again, the longest first. */
function templatesOf(words: Words): Template[] {
  return Object.entries(words)
    .filter(([, text]) => placeholder.test(text) && lettersOf(text) > 5)
    .sort(([, one], [, other]) => lettersOf(other) - lettersOf(one))
    .map(([key, text]) => asTemplate(stemOf(key), text))
}

const lettersOf = (text: string) => text.replaceAll(anyPlaceholder, '').replaceAll(/\P{Letter}/gu, '').length

function asTemplate(stem: string, text: string): Template {
  const parts = text.replace(/\s+/g, ' ').trim().split(placeholder)
  const names = [...text.matchAll(anyPlaceholder)].map(([, name = '']) => name)
  return {
    stem,
    names,
    pattern: new RegExp(`^${parts.map((part) => part.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&')).join('(.+?)')}$`, 'su'),
  }
}

function byText(words: Words): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [key, text] of Object.entries(words)) found.set(text, [...(found.get(text) ?? []), stemOf(key)])
  return found
}

function textsByStem(words: Words): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [key, text] of Object.entries(words)) found.set(stemOf(key), [...(found.get(stemOf(key)) ?? []), text])
  return found
}

const longest = (texts: readonly string[]) => texts.toSorted((one, other) => other.length - one.length)[0]
