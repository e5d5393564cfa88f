import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findFont, fontConfiguration } from '../../scripts/find-fonts.ts'

const writeFonts = (folder: string, ...names: string[]) => {
  mkdirSync(join(folder, 'truetype'), { recursive: true })
  for (const name of names) writeFileSync(join(folder, 'truetype', name), '')
}

test('a browser sees one font alone, wherever it is installed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-fonts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFonts(folder, 'DejaVuSans.ttf', 'DejaVuSans-Bold.ttf', 'NotoSans-Regular.ttf')
  const paths = {
    folders: [join(folder, 'missing'), folder],
    target: join(folder, 'out'),
    install: () => assert.fail('it is there'),
  }
  const text = readFileSync(fontConfiguration('wide', paths), 'utf8')
  assert.deepEqual(
    [...text.matchAll(/<acceptfont><glob>(.*?)<\/glob>/g)].map(([, file]) => file),
    ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => join(folder, 'truetype', name)),
  )
  assert.match(text, /<rejectfont><glob>\*<\/glob><\/rejectfont>/)
})

test('a missing font is installed, from the package that has it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-fonts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const asked: string[] = []
  const install = (name: string) => {
    asked.push(name)
    if (asked.length === 2) writeFonts(folder, 'LiberationSansNarrow-Regular.ttf', 'LiberationSansNarrow-Bold.ttf')
    return true
  }
  assert.equal(findFont('narrow', { folders: [folder], install }).length, 2)
  assert.deepEqual(asked, ['fonts-liberation', 'fonts-liberation-sans-narrow'])
})

test('for a font that cannot be installed one message names the package', () => {
  assert.throws(() => findFont('wide', { folders: [], install: () => false }), {
    message: 'Browser tests need the font DejaVu Sans: install the package fonts-dejavu-core.',
  })
})
