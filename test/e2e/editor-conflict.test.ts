// A save against a file that was changed on the server meanwhile: each way out loses nothing.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { answerJobs, over } from '../../scripts/screens/jobs.ts'
import { closeButton, contentOf, countDrafts, openText, save, textOf, typeAtEnd, unsaved } from '../support/editing.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const site = startSite({ files: { 'rota.yaml': 'season: 2027\nopens: april\n' } })
const theirs = 'season: 2027\nopens: may\n'
const mine = 'season: 2027\nopens: april\nmine'

/** Opens the text, changes it on both sides, and saves. */
async function start(view = {}) {
  const person = await openText(site, '/rota.yaml', view)
  await typeAtEnd(person.page, 'mine')
  writeFileSync(join(site.root, 'rota.yaml'), theirs)
  assert.equal(await save(person.page), 412)
  await person.page.getByText('This file has been changed on the server').waitFor()
  assert.equal(contentOf(site, 'rota.yaml').toString(), theirs)
  return person
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('the two versions are shown beside each other', async () => {
  const { page, close } = await start()
  assert.match((await page.getByRole('textbox', { name: 'On the server' }).textContent()) ?? '', /opens: may/)
  assert.match((await page.getByRole('textbox', { name: 'My version' }).textContent()) ?? '', /mine/)
  await close()
})

/** What is in front of the middle of each of these, when it is something else. */
const coveredIn = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all.flatMap((one) => {
      const { left, top, width, height } = one.getBoundingClientRect()
      const front = document.elementFromPoint(left + width / 2, top + height / 2)
      return front && (one.contains(front) || front.contains(one)) ? [] : [`${one.textContent}: ${front?.className}`]
    }),
  )

for (const view of [{}, { width: 390, height: 844, locale: 'ar' }]) {
  test(`the panel of the transfers covers neither the bar below a text nor the answers: ${JSON.stringify(view)}`, async () => {
    const { page, close } = await site.openListing(view, { prepare: ({ page }) => answerJobs(page, over) })
    await page.goto(`${site.url}/files/rota.yaml`)
    await textOf(page).waitFor()
    const panel = page.locator('.transfers')
    const isAbove = async (bar: string) => {
      await page.locator(bar).waitFor()
      await until(async () => {
        const [lower, upper] = await Promise.all([page.locator(bar).boundingBox(), panel.boundingBox()])
        return Boolean(lower && upper && upper.y + upper.height <= lower.y + 1)
      }, `the panel is above ${bar}`)
    }
    await panel.waitFor()
    await isAbove('.statusbar')
    assert.deepEqual(await coveredIn(page, '.statusbar select'), [])
    await typeAtEnd(page, 'mine')
    writeFileSync(join(site.root, 'rota.yaml'), theirs)
    assert.equal(await save(page), 412)
    await isAbove('.diff-foot')
    assert.deepEqual(await coveredIn(page, '.diff-foot button'), [])
    await close()
  })
}

test('the two versions have the focus, and then the text has it again, also after a dialog', async () => {
  const { page, close } = await start()
  await page.waitForFunction(() => document.activeElement?.matches('section.editor'))
  await press(page, 'Save mine as a copy')
  await page.waitForFunction(() => document.activeElement?.matches('.cm-content'))
  await typeAtEnd(page, 'mine')
  writeFileSync(join(site.root, 'rota.yaml'), 'other\n')
  await closeButton(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.locator('.diff').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.matches('section.editor'))
  await close()
})

test('Keep mine saves theirs beside it under a free name', async () => {
  writeFileSync(join(site.root, 'rota(1).yaml'), 'taken')
  const { page, close } = await start()
  await press(page, 'Keep mine')
  await page.locator('.diff').waitFor({ state: 'detached' })
  await textOf(page).waitFor()
  assert.equal(contentOf(site, 'rota.yaml').toString(), mine)
  assert.equal(contentOf(site, 'rota(1).yaml').toString(), 'taken')
  assert.equal(contentOf(site, 'rota(2).yaml').toString(), theirs)
  await close()
})

test('Keep mine asks again when the file changes once more, and keeps both other versions', async () => {
  const { page, close } = await start()
  await page.route('**/api/resources/rota.yaml?encoding=*', async (route) => {
    if (route.request().method() === 'PUT' && !existsSync(join(site.root, 'changed'))) {
      writeFileSync(join(site.root, 'changed'), '')
      writeFileSync(join(site.root, 'rota.yaml'), 'a third version\n')
    }
    await route.continue()
  })
  await press(page, 'Keep mine')
  await page.getByRole('textbox', { name: 'On the server' }).getByText('a third version').waitFor()
  await page.getByRole('alert').getByText('It was saved once more meanwhile').waitFor()
  await press(page, 'Keep mine')
  await page.locator('.diff').waitFor({ state: 'detached' })
  await textOf(page).waitFor()
  const all = ['rota.yaml', 'rota(1).yaml', 'rota(2).yaml'].map((name) => contentOf(site, name).toString())
  assert.deepEqual(all, [mine, theirs, 'a third version\n'])
  await close()
})

test('Take theirs keeps mine in the browser, where it is offered when the file is opened again', async () => {
  const { page, close } = await start()
  await press(page, 'Use theirs')
  // Mine is stored before the two versions are closed.
  await page.locator('.diff').waitFor({ state: 'detached' })
  await textOf(page).getByText('opens: may').waitFor()
  assert.equal(contentOf(site, 'rota.yaml').toString(), theirs)
  await unsaved(page).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Your version of this file was kept').waitFor()
  await press(page, 'Restore')
  await textOf(page).getByText('mine').waitFor()
  assert.equal(await save(page), 200)
  assert.equal(contentOf(site, 'rota.yaml').toString(), mine)
  await close()
})

test('Save mine as a copy keeps theirs under the name', async () => {
  const { page, close } = await start()
  await press(page, 'Save mine as a copy')
  await textOf(page).getByText('opens: may').waitFor()
  assert.equal(contentOf(site, 'rota.yaml').toString(), theirs)
  await until(() => existsSync(join(site.root, 'rota(1).yaml')), 'the copy is saved')
  assert.equal(contentOf(site, 'rota(1).yaml').toString(), mine)
  await close()
})

test('leaving a conflict asks, and the draft is offered afterwards', async () => {
  const { page, close } = await start()
  // It is stored half a second after a change; a reload may come before that.
  await until(async () => (await countDrafts(page)) === 1, 'the draft is stored')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('This file has text that was not saved').waitFor()
  await press(page, 'Restore')
  await textOf(page).getByText('mine').waitFor()
  // The draft was made from the older version: it is not saved over the newer one.
  assert.equal(await save(page), 412)
  await page.getByText('This file has been changed on the server').waitFor()
  assert.equal(contentOf(site, 'rota.yaml').toString(), theirs)
  await close()
})

test('a save whose answer was lost is no conflict when it is repeated', async () => {
  const { page, close } = await openText(site, '/rota.yaml')
  await typeAtEnd(page, 'mine')
  let isLost = false
  await page.route('**/api/resources/rota.yaml?encoding=*', async (route) => {
    if (isLost || route.request().method() !== 'PUT') return route.continue()
    isLost = true
    await route.fetch()
    // A proxy in between has lost the connection.
    return route.fulfill({ status: 502, body: '502 Bad Gateway' })
  })
  await page.keyboard.press('Control+s')
  const notice = page.locator('.toast').filter({ hasText: 'was not saved' })
  await notice.getByRole('button', { name: 'Try again' }).click()
  await unsaved(page).waitFor({ state: 'detached' })
  await notice.waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'rota.yaml').toString(), mine)
  assert.equal(existsSync(join(site.root, 'rota(1).yaml')), false)
  await close()
})

test('on a phone the differences are in one text', async () => {
  const { page, close } = await start({ width: 390, height: 844 })
  assert.equal(await page.getByRole('textbox', { name: 'On the server' }).count(), 0)
  await page.locator('.cm-deletedChunk, .cm-changedLine, .cm-insertedLine').first().waitFor()
  await press(page, 'Keep mine')
  await page.locator('.diff').waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'rota(1).yaml').toString(), theirs)
  await close()
})
