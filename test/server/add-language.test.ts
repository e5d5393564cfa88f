// A new language is one file in locales/ and one line in src-server/contract/languages.ts.
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { buildUi } from '../../build.ts'
import { localeProblems, type Nested } from '../../scripts/check-locales.ts'
import { directionOf } from '../../src-server/contract/choose-locale.ts'
import { Assets } from '../../src-server/pages/assets.ts'
import { startApp } from '../support/start-app.ts'

const top = resolve(import.meta.dirname, '../..')

test('with a file and a line the page is in Hebrew, from right to left, and accounts may choose it', async (t) => {
  const copy = await mkdtemp(join(tmpdir(), 'holdall-language-'))
  t.after(() => rm(copy, { recursive: true, force: true }))
  for (const part of ['src-ui', 'src-server', 'locales']) await cp(join(top, part), join(copy, part), { recursive: true })
  await symlink(join(top, 'node_modules'), join(copy, 'node_modules'))
  const english = JSON.parse(await readFile(join(copy, 'locales/en.json'), 'utf8')) as Nested
  await writeFile(join(copy, 'locales/he.json'), JSON.stringify(inHebrew(english)))
  const list = join(copy, 'src-server/contract/languages.ts')
  const lines = await readFile(list, 'utf8')
  await writeFile(list, lines.replace("  ['ar',", "  ['he', 'עברית'],\n  ['ar',"))

  assert.deepEqual(await localeProblems(copy), [])
  const { localeCodes } = (await import(join(copy, 'src-server/contract/users.ts'))) as { localeCodes: readonly string[] }
  assert.ok(localeCodes.includes('he'))
  const offered = (await import(join(copy, 'src-ui/users/languages.ts'))) as { languageOptions(): readonly object[] }
  assert.deepEqual(offered.languageOptions().at(14), { value: 'he', label: 'עברית', lang: 'he' })

  const app = await startApp(t, { services: { assets: new Assets(await buildUi({ folder: copy, release: false })) } })
  const page = async (address: string) =>
    (await fetch(app.url + address, { headers: { Accept: 'text/html', 'Accept-Language': 'he-IL,en;q=0.5' } })).text()
  const login = await page('/login')
  assert.match(login, /<html lang="he" dir="rtl"/)
  assert.match(login, /aria-label="ה Loading"/)
  assert.match(login, /<link rel="preload" as="fetch" crossorigin="anonymous" href="\/static\/locales\/he-[\w-]+\.json">/)
  assert.match(login, /"he":"locales\/he-/)
  assert.match(await page('/share/abc'), />ה Download<\/a>/)
})

test('the direction follows from the script', () => {
  assert.deepEqual(['ar', 'he', 'fa', 'ur', 'yi', 'pa-pk'].map(directionOf), Array(6).fill('rtl'))
  assert.deepEqual(['en', 'pa', 'zh-tw', 'ru', 'not a tag'].map(directionOf), Array(5).fill('ltr'))
})

const forms = new Intl.PluralRules('he').resolvedOptions().pluralCategories

/** Every text, marked so that it is no English one, with the plural forms of Hebrew. */
function inHebrew(words: Nested): Nested {
  const translated = Object.entries(words).flatMap(([key, text]): [string, Nested | string][] => {
    if (typeof text !== 'string') return [[key, inHebrew(text)]]
    if (key.endsWith('_one')) return []
    if (!key.endsWith('_other')) return [[key, `ה ${text}`]]
    return forms.map((form) => [key.replace(/_other$/, `_${form}`), `ה ${text}`])
  })
  return Object.fromEntries(translated)
}
