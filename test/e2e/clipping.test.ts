// What scripts/check-clipping.ts measures in a page: each kind of problem is found, and a good page has none.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from '@playwright/test'
import { measuringScript } from '../../scripts/clipping/find-clippings.ts'
import type { Measured } from '../../scripts/clipping/measure.ts'
import { launchBrowser } from '../support/browser.ts'

let browser: Browser
let page: Page
before(async () => {
  browser = await launchBrowser()
  page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.addInitScript({ content: await measuringScript() })
  await page.goto('about:blank')
})
after(() => browser.close())

const long = 'Registrierung für alle Personen erlauben'

const findings = async (body: string, dir = 'ltr'): Promise<Measured[]> => {
  await page.evaluate(
    ([text = '', direction = '']) => {
      document.documentElement.dir = direction
      document.body.innerHTML = text
    },
    [body, dir],
  )
  const { findings } = await page.evaluate('clipping.measure()').then((value) => value as { findings: Measured[] })
  return findings
}

const kinds = async (body: string, dir?: string) => [...new Set((await findings(body, dir)).map(({ kind }) => kind))]

test('a page on which everything fits has no findings', async () => {
  const good = `<p>${long}</p><button>OK</button><input placeholder="Name">
    <div style="height: 40px; overflow: auto"><p>${`${long} `.repeat(20)}</p></div>
    <a class="name" dir="auto"><span class="stem" style="display: block; width: 50px; overflow: hidden">photograph</span></a>
    <span class="visually-hidden" style="position: absolute; width: 1px; overflow: hidden; white-space: nowrap">${long}</span>`
  assert.deepEqual(await findings(good), [])
  assert.deepEqual(await findings(`${good}<p>الملف <bdi>notes (2).txt</bdi></p><code dir="ltr">/etc</code>`, 'rtl'), [])
})

test('a text that is cut is found: by its button, by what is around it, by an ellipsis, by a number of lines, at its lower edge', async () => {
  const cut = async (style: string) => kinds(`<button style="white-space: nowrap; overflow: hidden; ${style}">${long}</button>`)
  assert.deepEqual(await cut('width: 100px'), ['cut'])
  const inside = `<p style="white-space: nowrap; width: max-content">${long}</p>`
  assert.deepEqual(await kinds(`<div style="width: 100px; overflow: clip"><div>${inside}</div></div>`), ['leaves its box'])
  assert.deepEqual(await kinds(`<div style="width: 100px; overflow: clip">${inside}</div>`), ['cut'])
  assert.deepEqual(await cut('width: 100px; text-overflow: ellipsis'), ['cut'])
  assert.deepEqual(await cut('width: 100px; white-space: normal; height: 24px; padding: 0'), ['cut'])
  const clamp = 'display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; overflow: hidden; width: 100px'
  assert.deepEqual(await kinds(`<p style="${clamp}">${long}</p>`), ['cut'])
})

test('a text that leaves its button, or lies on another, is found', async () => {
  const button = `<button style="width: 100px; white-space: nowrap">${long}</button>`
  assert.deepEqual(await kinds(button), ['leaves its box'])
  const line = (texts: string) => `<div style="display: flex; white-space: nowrap">${texts}</div>`
  assert.deepEqual(
    await kinds(line(`<div style="width: 250px"><span style="margin-right: -90px">${long}</span></div><span>Ja</span>`)),
    ['leaves its box', 'overlaps'],
  )
})

test('a placeholder and a choice that are longer than their field are found', async () => {
  assert.deepEqual(await kinds(`<input style="width: 120px" placeholder="${long}">`), ['cut'])
  assert.deepEqual(await kinds(`<select style="width: 120px"><option>${long}</option></select>`), ['cut'])
})

test('a page that is too wide, and a part that scrolls sideways, are found', async () => {
  assert.deepEqual(await kinds(`<p style="width: 500px">${long} ${long}</p>`), ['leaves the window', 'too wide'])
  assert.deepEqual(await kinds('<div style="overflow: auto"><p style="width: 900px">OK</p></div>'), ['scrolls sideways'])
})

test('what is laid out against the direction of the page is found, once for the outermost element', async () => {
  const part = (direction: string) => `<p>OK</p><section style="direction: ${direction}"><p>OK</p></section>`
  assert.deepEqual(await kinds(part('ltr'), 'rtl'), ['direction'])
  assert.deepEqual(await kinds(part('rtl'), 'ltr'), ['direction'])
  assert.equal((await findings(part('ltr'), 'rtl')).length, 1)
})
