// What is deleted goes to the trash, and comes back from there: by Undo, on the page of the trash, as a version of a file.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { asPrincipal } from '../support/as-principal.ts'
import { violations } from '../support/axe.ts'
import { entry, pick } from '../support/listing.ts'
import { keepNotices, noticeShown } from '../support/notices.ts'
import { fillCredentials } from '../support/person.ts'
import { picture } from '../support/pictures.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const site = startSite({ user: { username: 'ben', may: ['download'] } })
const inRoot = (name: string) => join(site.root, name)
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const rows = (page: Page) => page.getByRole('grid', { name: 'Trash' }).locator('[data-entry]')
const names = (page: Page) =>
  rows(page).evaluateAll((all) => all.map((row) => row.querySelector('.row-name .name')?.getAttribute('title')))

const menuNames = (page: Page) =>
  page.getByRole('menuitem').evaluateAll((all) => all.map((one) => one.querySelector('.label')?.textContent))

const json = (body: object) => ({ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })

async function administrator() {
  const body = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${site.url}/api/login`, { method: 'POST', body })
  return asPrincipal(site.url, await answer.text())
}

/** Writes files, and nothing is in the trash. */
async function begin(...files: string[]) {
  const admin = await administrator()
  assert.equal((await admin.ask('DELETE', '/api/trash', json({ all: true }))).status, 200)
  for (const name of files) writeFileSync(inRoot(name), name)
  return admin
}

test('a deleted file goes to the trash and comes back by Undo; deleting for good is asked apart', async () => {
  await begin('a.txt', 'b.txt')
  const { page, close } = await site.openListing({}, { prepare: ({ context }) => keepNotices(context) })
  await pick(page, 'a.txt')
  await page.keyboard.press('Delete')
  await dialog(page, /^Delete .*a\.txt.*\?$/)
    .getByText('The trash keeps this for 30 days.')
    .waitFor()
  await button(page, 'Delete').click()
  await noticeShown(page, '1 item moved to the trash')
  assert.equal(existsSync(inRoot('a.txt')), false)
  await button(page, /^Undo delete of .*a\.txt/).click()
  // What has come back is selected before that is told.
  await noticeShown(page, 'Undone: delete of')
  await entry(page, 'a.txt').waitFor()
  assert.equal(readFileSync(inRoot('a.txt'), 'utf8'), 'a.txt')
  await pick(page, 'b.txt')
  await page.keyboard.press('Shift+Delete')
  await dialog(page, /for good\?$/)
    .getByText('This cannot be undone.')
    .waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await button(page, 'Delete for good').click()
  const question = dialog(page, /b\.txt.* for good\?$/)
  await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
  await button(page, 'Delete for good').click()
  await question.waitFor({ state: 'detached' })
  await entry(page, 'b.txt').waitFor({ state: 'detached' })
  const admin = await administrator()
  assert.equal((await (await admin.ask('GET', '/api/trash')).json()).total, 0)
  await close()
})

test('where there is no trash, or no space for it, nothing is deleted before the person has agreed to delete for good', async () => {
  await begin('none.txt', 'full.txt')
  const { page, close } = await site.openListing()
  const refuse = (name: string, status: number, code: string) => {
    const refusal = { title: 'x', status, detail: 'x', refusal: { code, params: {} } }
    return page.route(`**/api/resources/${name}?trash=true`, (route) =>
      route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(refusal) }),
    )
  }
  await refuse('none.txt', 409, 'noTrash')
  await refuse('full.txt', 507, 'trashFull')
  await pick(page, 'full.txt')
  await page.keyboard.press('Delete')
  await dialog(page, /full\.txt/)
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await dialog(page, /for good\?$/)
    .getByText('The disk is full, so this cannot go to the trash.')
    .waitFor()
  await page.keyboard.press('Escape')
  await dialog(page, /for good\?$/).waitFor({ state: 'detached' })
  assert.ok(existsSync(inRoot('full.txt')))
  await pick(page, 'none.txt')
  await page.keyboard.press('Delete')
  await dialog(page, /none\.txt/)
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await dialog(page, /for good\?$/)
    .getByText('There is no trash for this here.')
    .waitFor()
  assert.ok(existsSync(inRoot('none.txt')))
  await button(page, 'Delete for good').click()
  await entry(page, 'none.txt').waitFor({ state: 'detached' })
  await until(() => !existsSync(inRoot('none.txt')), 'it is gone')
  await close()
})

test('the page of the trash sorts, filters, restores and deletes by keyboard, and asks where a name is taken', async () => {
  const admin = await begin('one.txt', 'two.txt', 'three.txt')
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await admin.ask('DELETE', `/api/resources/${name}?trash=true`)
  writeFileSync(inRoot('two.txt'), 'new')
  const { page, close } = await site.openListing({}, { prepare: ({ context }) => keepNotices(context) })
  await button(page, 'Trash').click()
  await rows(page).first().waitFor()
  assert.deepEqual(await names(page), ['three.txt', 'two.txt', 'one.txt'])
  assert.match((await rows(page).first().locator('.row-date').getAttribute('title')) ?? '', /\nModified /)
  await button(page, 'Name').click()
  await until(async () => (await names(page)).join() === 'one.txt,three.txt,two.txt', 'sorted by name')
  assert.deepEqual(await violations(page), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await violations(page, { rules: ['color-contrast'] }), [])
  // The button goes with its row: the row beside it has the focus then, also after an undo.
  await rows(page).filter({ hasText: 'three.txt' }).getByRole('button', { name: 'Restore' }).click()
  await noticeShown(page, '1 item restored')
  await rows(page).filter({ hasText: 'two.txt' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Control+z')
  await until(async () => (await names(page)).join() === 'one.txt,three.txt,two.txt', 'the restore is undone')
  await page.keyboard.press('Control+y')
  await until(async () => (await names(page)).join() === 'one.txt,two.txt', 'it is done again')
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: /^Undo/ }).click()
  await until(async () => (await names(page)).join() === 'one.txt,three.txt,two.txt', 'the menu undoes it too')
  await rows(page).first().focus()
  await page.keyboard.press('Shift+F10')
  assert.deepEqual(await violations(page, { within: '[role=menu]' }), [])
  assert.deepEqual(await menuNames(page), ['Open', 'Download', 'Restore', 'Delete for good'])
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await rows(page).filter({ hasText: 'two.txt' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Delete for good/ }).click()
  await dialog(page, /two\.txt.* for good\?$/).waitFor()
  await page.keyboard.press('Escape')
  await rows(page).filter({ hasText: 'two.txt' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+ArrowUp')
  await page.getByRole('toolbar').getByText('2 selected').waitFor()
  await button(page, 'Restore').first().click()
  const taken = dialog(page, /already exists/)
  await taken.getByText('From the trash', { exact: true }).waitFor()
  await taken.getByRole('button', { name: 'Keep both' }).click()
  await noticeShown(page, '2 items restored')
  assert.deepEqual([readFileSync(inRoot('two.txt'), 'utf8'), readFileSync(inRoot('three.txt'), 'utf8')], ['new', 'three.txt'])
  assert.equal(readFileSync(inRoot('two(1).txt'), 'utf8'), 'two.txt')
  await until(async () => (await names(page)).join() === 'one.txt', 'what was restored is gone from the trash')
  await page.getByRole('searchbox').fill('elsewhere')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await button(page, 'Clear the filter').click()
  await rows(page).first().click()
  await page.keyboard.press('Delete')
  await dialog(page, /one\.txt.* for good\?$/).waitFor()
  assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
  await page.keyboard.press('Escape')
  await button(page, 'Empty trash').click()
  await dialog(page, 'Empty the trash?').getByRole('button', { name: 'Empty trash' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await close()
})

test('a trash of thousands is drawn near the window and read to its end; a text is looked at over it', async () => {
  const { page, close, context } = await site.openListing()
  const all = Array.from({ length: 3000 }, (_, index) => ({
    ...{ id: `i${index}`, name: `${index}.txt`, path: `/${index}.txt`, isDir: index === 0, size: 1, type: 'text' },
    ...{ deletedAt: Date.now(), dueAt: Date.now() + 86_400_000, by: 'ann', why: 'delete', mayPurge: true },
  }))
  await page.route('**/api/trash?**', (route) => {
    const asked = new URL(route.request().url()).searchParams
    const from = Number(asked.get('from'))
    const items = all.slice(from, from + Number(asked.get('limit')))
    return route.fulfill({ json: { items, total: 3000, bytes: 3000, own: { items: 3000, bytes: 3000 }, days: 30, isOn: true } })
  })
  await context.route('**/api/trash/raw/**', (route) => route.fulfill({ body: 'what it was', contentType: 'text/plain' }))
  await page.goto(`${site.url}/trash`)
  await rows(page).first().waitFor()
  assert.ok((await rows(page).count()) < 60)
  await rows(page).first().press('Enter')
  await page.getByText('A folder in the trash cannot be opened').waitFor()
  await rows(page).first().press('End')
  await rows(page).filter({ hasText: '2999.txt' }).and(page.locator(':focus')).waitFor()
  await rows(page).last().dblclick()
  await dialog(page, '2999.txt').getByText('what it was').waitFor()
  await dialog(page, '2999.txt')
    .getByText(/· Deleted /)
    .waitFor()
  assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
  await page.keyboard.press('Escape')
  await dialog(page, '2999.txt').waitFor({ state: 'detached' })
  await page.locator('[role=row]:focus').waitFor()
  await page.keyboard.press('Control+a')
  await page.getByText('3,000 selected').first().waitFor()
  await close()
})

test('the information of a file has its earlier versions: they are compared with the present one, and put back', async () => {
  const admin = await begin('notes.md')
  const written = new Date(2020, 1, 2)
  utimesSync(inRoot('notes.md'), written, written)
  for (const text of ['first\nsame\n', 'second\nsame\n']) {
    assert.equal((await admin.save('/notes.md', text)).status, 200)
    writeFileSync(inRoot('notes.md'), `${text}by another program\n`)
  }
  const { page, close } = await site.openListing({}, { prepare: ({ context }) => keepNotices(context) })
  await pick(page, 'notes.md')
  await page.keyboard.press('Alt+Enter')
  const versions = page.getByRole('region', { name: 'Earlier versions' })
  await versions.getByRole('listitem').first().waitFor()
  assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
  // The time of its content, and what became of it.
  await versions.getByRole('listitem').last().getByText(/2020/).waitFor()
  await versions
    .getByRole('listitem')
    .last()
    .getByText(/Replaced by .*admin/)
    .waitFor()
  const count = await versions.getByRole('listitem').count()
  assert.equal(count, 2)
  await versions.getByRole('button', { name: 'Compare with the present version' }).last().click()
  const compared = dialog(page, /^Compare versions of/)
  await compared.getByText('Present version').waitFor()
  await compared.locator('.cm-content').first().waitFor()
  assert.match((await compared.locator('.cm-content').allTextContents()).join('|'), /notes\.md.*\|.*second/)
  assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
  await compared.getByRole('button', { name: 'Restore this version' }).click()
  await noticeShown(page, 'The one before is in the trash.')
  assert.equal(readFileSync(inRoot('notes.md'), 'utf8'), 'notes.md')
  await close()
})

test('a text that is open shows the version that was put back; one that is not saved stays, and both are shown', async () => {
  const admin = await begin('open.txt')
  assert.equal((await admin.save('/open.txt', 'second')).status, 200)
  const { page, close } = await site.openListing({}, { prepare: ({ context }) => keepNotices(context) })
  await page.goto(`${site.url}/files/open.txt`)
  const text = page.locator('.cm-content')
  await text.getByText('second').waitFor()
  const putBack = async () => {
    await button(page, 'Information').click()
    await page
      .getByRole('region', { name: 'Earlier versions' })
      .getByRole('button', { name: 'Restore this version' })
      .last()
      .click()
    await dialog(page, 'open.txt').waitFor({ state: 'detached' })
  }
  await putBack()
  await text.getByText('open.txt').waitFor()
  await text.click()
  await page.keyboard.type('mine ')
  await putBack()
  await until(() => readFileSync(inRoot('open.txt'), 'utf8') === 'second', 'the version is back')
  await page.getByRole('textbox', { name: 'On the server' }).getByText('second').waitFor()
  assert.match((await page.getByRole('textbox', { name: 'My version' }).textContent()) ?? '', /mine/)
  await close()
})

test('an administrator turns the trash off: nothing offers it any more, and a delete is for good', async () => {
  const admin = await begin('off.txt')
  const { page, close } = await site.openListing({}, { prepare: ({ context }) => keepNotices(context) })
  await page.goto(`${site.url}/settings/global`)
  const card = page.getByRole('form', { name: 'Trash' })
  await card.getByLabel('Days kept').fill('0')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.locator('.field-error').first().waitFor()
  await card.getByLabel('Days kept').fill('7')
  await card.getByLabel(/^Keep what is deleted/).uncheck()
  await card.getByRole('button', { name: 'Save' }).click()
  await noticeShown(page, 'Trash settings updated')
  await button(page, 'Trash').waitFor({ state: 'detached' })
  await page.goto(`${site.url}/files/`)
  await pick(page, 'off.txt')
  await page.keyboard.press('Delete')
  await dialog(page, /off\.txt.* for good\?$/).waitFor()
  await close()
  assert.equal((await admin.ask('PUT', '/api/settings', json({ trash: { isOn: true, days: 30 } }))).status, 200)
})

test('who may not create is not offered the trash, and its page is forbidden', async () => {
  const { page, close } = await site.newPerson()
  await page.goto(`${site.url}/trash`)
  await fillCredentials(page, 'ben', administratorPassword)
  await page.waitForURL(`${site.url}/trash`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await page.getByRole('grid').count(), 0)
  await button(page, 'Settings').waitFor()
  assert.equal(await button(page, 'Trash').count(), 0)
  await close()
})

test('the search says what fits in the trash too, and leads to its page, which is narrowed to that', async () => {
  const admin = await begin('weir.txt', 'other.txt')
  for (const name of ['weir.txt', 'other.txt']) assert.equal((await admin.remove(`/${name}`)).status, 200)
  const { page, close } = await site.openListing()
  await button(page, 'Trash').waitFor()
  await page.keyboard.press('Control+f')
  await page.getByRole('combobox', { name: 'Search' }).fill('weir')
  const link = page.getByRole('link', { name: 'Also in the trash: 1 item' })
  await link.waitFor()
  assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
  await link.click()
  await rows(page).first().waitFor()
  assert.deepEqual(await names(page), ['weir.txt'])
  assert.equal(new URL(page.url()).search, '?filter=weir')
  await page.getByRole('searchbox').fill('')
  await until(async () => (await rows(page).count()) === 2, 'all are shown')
  assert.equal(new URL(page.url()).search, '')
  await page.goBack()
  await page.waitForURL(`${site.url}/files/`)
  await close()
})

test('after the update an administrator is told that a delete frees no space at once, until one takes note', async () => {
  const admin = await administrator()
  const tell = async (isNews: boolean) =>
    assert.equal((await admin.ask('PUT', '/api/settings', json({ trash: { isNews } }))).status, 200)
  await tell(true)
  const { page, close } = await site.openListing()
  const news = page.getByText('What is deleted goes to the trash now')
  await news.waitFor()
  assert.deepEqual(await violations(page), [])
  const answered = page.waitForResponse('**/api/settings')
  await button(page, 'Got it').click()
  await answered
  await news.waitFor({ state: 'detached' })
  assert.equal((await (await admin.ask('GET', '/api/trash')).json()).isNews, undefined)
  await close()
})

test('a picture in the trash is shown small in its row', async () => {
  const admin = await begin()
  writeFileSync(inRoot('red.png'), await picture('png', 300, 200))
  assert.equal((await admin.remove('/red.png')).status, 200)
  const { page, close } = await site.openListing({}, { path: '/trash' })
  await page.locator('[data-thumbnail="shown"] > img').waitFor()
  assert.deepEqual(await violations(page), [])
  await close()
})
