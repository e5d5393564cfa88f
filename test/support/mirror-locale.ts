// A right-to-left language for tests and screenshots only: English in Arabic letters, of about the same length.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BrowserContext, Route } from '@playwright/test'

type Words = { [key: string]: string | Words }

const latin = 'abcdefghijklmnopqrstuvwxyz?,;'
const arabic = 'ابكديفغهيجقلمنوبقرستوفوخيز؟،؛'
const letters = new Map([...latin].map((letter, index) => [letter, [...arabic][index] ?? letter]))

/** A text of en.json in the test language; parameters in `{{ }}` are kept. */
export function mirror(text: string): string {
  const parts = text.split(/(\{\{.*?\}\})/)
  return parts.map((part) => (part.startsWith('{{') ? part : spell(part))).join('')
}

const spell = (text: string) => [...text.toLowerCase()].map((letter) => letters.get(letter) ?? letter).join('')

function mirrorAll(words: Words): Words {
  const said = (value: string | Words) => (typeof value === 'string' ? mirror(value) : mirrorAll(value))
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, said(value)]))
}

const address = 'locales/mirror.json'

/** Gives the pages of a context the test language as Arabic. The context's locale must be `ar`. */
export async function speakMirrored(context: BrowserContext): Promise<void> {
  const english = JSON.parse(await readFile(resolve(import.meta.dirname, '../../locales/en.json'), 'utf8')) as Words
  await context.route(`**/static/${address}`, (route) => route.fulfill({ json: mirrorAll(english) }))
  await context.route(isPage, tellOfArabic)
}

const isPage = ({ pathname }: URL) => !/\/(static|api)\//.test(pathname)

async function tellOfArabic(route: Route): Promise<void> {
  const response = await route.fetch()
  const page = await response.text()
  const body = page
    .replace(/<link rel="preload" as="fetch".*?>/, '')
    .replace(/(id="holdall-config">)(.*?)(<\/script>)/s, (_, before, config, after) => {
      const told = { ...JSON.parse(config), Locales: { ...JSON.parse(config).Locales, ar: address } }
      return before + JSON.stringify(told).replaceAll('<', '\\u003c') + after
    })
  await route.fulfill({ response, body })
}
