// Markdown and tables to read, large files, and texts in other encodings.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import iconv from 'iconv-lite'
import { contentOf, isReadIn, openText, save, textOf, typeAtEnd, unsaved } from '../support/editing.ts'
import { entry } from '../support/listing.ts'
import type { View } from '../support/person.ts'
import { startSite } from '../support/site.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const hostile = `# Title

## Before the frost

Text with [a file](../plain.txt), [a place](#before-the-frost), [elsewhere](https://example.org/x).

- [x] done
- [ ] to do

| Crop | Sow |
| --- | --- |
| Leeks | March |

![inside](pictures/dot.png) ![outside](../../../../etc/passwd) ![remote](https://example.org/spy.png)
![data](data:image/svg+xml,<svg/>) ![host](//example.org/spy.png)

<script>window.attacked = 1</script>
<img src=x onerror="window.attacked = 2">
<svg onload="window.attacked = 3"><style>body{display:none}</style></svg>
<style>body { display: none }</style>
<a href="javascript:window.attacked=4" onclick="window.attacked=5">press</a>
[script](javascript:window.attacked=6) [data](data:text/html,x)
<form action="https://example.org"><input name="q"><button>send</button></form>
<iframe src="https://example.org"></iframe><object data="x"></object><base href="https://example.org/">
<div id="root" style="position:fixed;inset:0">over all</div>
<math><mtext><table><mglyph><style><!--</style><img title="--><img src=1 onerror=window.attacked=7>">
`

const site = startSite({
  files: {
    'docs/read.md': hostile,
    'plain.txt': 'plain',
    'docs/short.md': '# Short\n',
    'docs/empty.md': '\n',
    'docs/table.csv': 'Year;Plot;Remarks\n2026;lower;"two\nlines; and ""quotes"""\n2025;orchard;\n',
  },
})

async function open(name: string, view: View = {}) {
  const person = await site.openListing(view)
  await person.page.goto(`${site.url}/files/${name}`)
  return person
}

const article = (page: Page) => page.locator('.prose')

test('Markdown is read first: nothing in it acts, and nothing is loaded from elsewhere', async () => {
  const { page, close } = await site.openListing()
  const foreign: string[] = []
  page.on('request', (request) => new URL(request.url()).origin === site.url || foreign.push(request.url()))
  await page.goto(`${site.url}/files/docs/read.md`)
  await page.getByRole('heading', { name: 'Before the frost' }).waitFor()
  const tags = await article(page).evaluate((element) =>
    [...new Set([...element.querySelectorAll('*')].map((one) => one.tagName))].sort(),
  )
  for (const tag of ['SCRIPT', 'STYLE', 'svg', 'SVG', 'FORM', 'INPUT', 'BUTTON', 'IFRAME', 'OBJECT', 'BASE', 'math'])
    assert.ok(!tags.includes(tag), tag)
  const attributes = await article(page).evaluate((element) => [
    ...new Set([...element.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())),
  ])
  assert.deepEqual(
    attributes.filter((name) => name.startsWith('on') || name === 'style' || name === 'srcset'),
    [],
  )
  const addresses = await article(page)
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  assert.deepEqual(addresses.filter(Boolean), ['/files/plain.txt', '#before-the-frost', 'https://example.org/x'])
  const sources = await article(page)
    .locator('img')
    .evaluateAll((images) => images.map((image) => image.getAttribute('src')))
  assert.deepEqual(sources, ['/api/raw/docs/pictures/dot.png?inline=true', '/api/raw/docs/x?inline=true'])
  assert.equal(await page.evaluate(() => 'attacked' in window), false)
  assert.deepEqual(foreign, [])
  await close()
})

test('links of a document: to its headings, and to files of the person', async () => {
  const { page, close } = await open('docs/read.md')
  await page.getByRole('link', { name: 'a place' }).click()
  await page.waitForFunction(() => document.activeElement?.textContent === 'Before the frost')
  assert.match(page.url(), /read\.md$/)
  await page.getByRole('link', { name: 'a file' }).click()
  await textOf(page).getByText('plain').waitFor()
  await close()
})

test('Markdown is edited, and its reading shows what is not saved yet', async () => {
  const { page, close } = await open('docs/short.md')
  await page.getByRole('button', { name: 'Edit' }).click()
  await typeAtEnd(page, '\n\n## New heading')
  await unsaved(page).waitFor()
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await page.getByRole('heading', { name: 'New heading' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  assert.equal(await save(page), 200)
  assert.match(contentOf(site, 'docs/short.md').toString(), /## New heading$/)
  await close()
})

test('a document without text says that it is empty', async () => {
  const { page, close } = await open('docs/empty.md')
  await page.getByRole('heading', { name: 'This file is empty' }).waitFor()
  await close()
})

test('a table: separators, quotes and line breaks in cells', async () => {
  const { page, close } = await open('docs/table.csv')
  const table = page.getByRole('table')
  // The rows are drawn once the height of the window is known.
  await table.getByRole('cell').nth(5).waitFor({ state: 'attached' })
  assert.deepEqual(await table.getByRole('columnheader').allTextContents(), ['Row', 'Year', 'Plot', 'Remarks'])
  assert.deepEqual(await table.getByRole('cell').allTextContents(), [
    '2026',
    'lower',
    'two\nlines; and "quotes"',
    '2025',
    'orchard',
    '',
  ])
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await textOf(page).getByText('Year;Plot').waitFor()
  await close()
})

test('a table of 100,000 rows: only the rows near the window are drawn, and the keyboard reaches the last', async () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `${index},name ${index},${index * 3}`)
  writeFileSync(join(site.root, 'long.csv'), `id,name,number\n${lines.join('\n')}\n`)
  const { page, close } = await open('long.csv')
  await page.getByText('100,000 rows').waitFor()
  assert.ok((await page.getByRole('row').count()) < 100)
  await page.getByRole('region', { name: 'Content', exact: true }).focus()
  await page.keyboard.press('End')
  await page.getByRole('cell', { name: 'name 99999' }).waitFor()
  assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), '100001')
  await close()
})

test('a text in another encoding, with other line endings, is saved as it was but for the changed line', async () => {
  const lines = ['買い物リスト', '牛乳、卵、パン', '日本語のテキストです']
  const before = iconv.encode(`${lines[0]}\r\n${lines[1]}\n${lines[2]}\r\n`, 'shift_jis')
  writeFileSync(join(site.root, 'sjis.txt'), before)
  const { page, close } = await openText(site, '/sjis.txt')
  await textOf(page).getByText('買い物リスト').waitFor()
  await isReadIn(page, 'shift_jis')
  await textOf(page).focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('x')
  assert.equal(await save(page), 200)
  assert.ok(contentOf(site, 'sjis.txt').equals(Buffer.concat([Buffer.from('x'), before])))
  await close()
})

test('a character that the encoding lacks is named, and Save as UTF-8 saves the text with nothing lost', async () => {
  const text = '買い物リスト\r\n牛乳、卵、パン\r\n日本語のテキストです\r\n'
  const before = iconv.encode(text, 'shift_jis')
  writeFileSync(join(site.root, 'sjis.txt'), before)
  const { page, close } = await openText(site, '/sjis.txt')
  await isReadIn(page, 'shift_jis')
  await typeAtEnd(page, '😀')
  assert.equal(await save(page), 400)
  const notice = page.locator('.toast').filter({ hasText: 'was not saved' })
  await notice.getByText('😀').waitFor()
  assert.ok(contentOf(site, 'sjis.txt').equals(before))
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await notice.getByRole('button', { name: 'Save as UTF-8' }).click()
  assert.equal((await saved).status(), 200)
  await unsaved(page).waitFor({ state: 'detached' })
  await notice.waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'sjis.txt').toString(), `${text}😀`)
  await page.reload()
  await textOf(page).getByText('😀').waitFor()
  await isReadIn(page, 'utf-8')
  assert.equal(await save(page), 200)
  assert.equal(contentOf(site, 'sjis.txt').toString(), `${text}😀`)
  await close()
})

test('a text with bytes that its encoding lacks can be read, and not changed', async () => {
  writeFileSync(
    join(site.root, 'torn.txt'),
    Buffer.concat([iconv.encode('日本語のテキストです。\n'.repeat(5), 'shift_jis'), Buffer.of(0x83, 0x0a)]),
  )
  const { page, close } = await open('torn.txt')
  await page.getByText('Some bytes are not valid in this encoding').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0)
  await textOf(page).focus()
  await page.keyboard.type('x')
  assert.doesNotMatch((await textOf(page).textContent()) ?? '', /x/)
  await close()
})

test('a file of more than 10 MiB is read in parts: start, end and between', async () => {
  const line = (index: number) => `line ${index} é\n`
  let text = ''
  for (let index = 0; text.length < 11 << 20; index++) text += line(index)
  writeFileSync(join(site.root, 'large.log'), text)
  const { page, close } = await open('large.log')
  await page.getByText('This text is too large to be shown whole').waitFor()
  await page.getByRole('button', { name: 'Open as text' }).click()
  await page.locator('.large-text').getByText('line 0 é').waitFor()
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page
    .locator('.large-text')
    .getByText(text.trimEnd().split('\n').at(-1) ?? '')
    .waitFor()
  await page.getByRole('slider').fill('80')
  await page.locator('.large-text').getByText('line ').waitFor()
  assert.doesNotMatch((await page.locator('.large-text').textContent()) ?? '', /\ufffd/)
  await page.getByRole('button', { name: 'Close', exact: true }).first().click()
  await entry(page, 'large.log').waitFor()
  await close()
})

test('a picture that the document names is shown', async () => {
  mkdirSync(join(site.root, 'docs/pictures'))
  writeFileSync(join(site.root, 'docs/pictures/dot.png'), pixel)
  const { page, close } = await open('docs/read.md')
  const picture = page.getByRole('img', { name: 'inside' })
  await picture.scrollIntoViewIfNeeded()
  await page.waitForFunction(() => [...document.images].some((image) => image.alt === 'inside' && image.naturalWidth === 1))
  await close()
})
