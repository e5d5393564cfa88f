// The text editor: opening, changing, saving and leaving a text.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  closeButton,
  contentOf,
  countDrafts,
  isReadIn,
  isTitled,
  openText,
  returnTo,
  save,
  textOf,
  typeAtEnd,
  unsaved,
} from '../support/editing.ts'
import { endSessionDuring } from '../support/end-session.ts'
import { entry, isSelected } from '../support/listing.ts'
import { signIn } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

const site = startSite({
  files: {
    'Notes/list.yaml': 'roof: slate\ncellar: pump\n',
    'Notes/other.txt': 'other',
    'a.bin': '\0\u0001',
    'plain.txt': 'one\ntwo\n',
  },
})

test('a text opens in the editor from the listing, and Ctrl+S saves it', async () => {
  const { page, close } = await site.openListing({}, { path: '/files/Notes/' })
  await entry(page, 'list.yaml').dblclick()
  await textOf(page).waitFor()
  assert.match((await textOf(page).textContent()) ?? '', /roof: slate/)
  await page.getByText('YAML', { exact: true }).waitFor()
  await typeAtEnd(page, 'trades: mason')
  await unsaved(page).waitFor()
  await isTitled(page, /^• list\.yaml · /)
  assert.equal(await save(page), 200)
  await unsaved(page).waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'Notes/list.yaml').toString(), 'roof: slate\ncellar: pump\ntrades: mason')
  await isTitled(page, /^list\.yaml · /)
  await closeButton(page).click()
  await isSelected(page, 'list.yaml')
  await close()
})

test('a text whose encoding was guessed wrong is read in the one that is chosen, and saved in it', async () => {
  await writeFile(join(site.root, 'plain.txt'), Uint8Array.of(0x93, 0xfa, 0x96, 0x7b))
  const { page, close } = await openText(site, '/plain.txt')
  const choice = page.getByRole('combobox', { name: 'Encoding' })
  await isReadIn(page, 'windows-1252')
  await choice.selectOption({ label: 'Shift_JIS · Japanese' })
  await textOf(page).filter({ hasText: '日本' }).waitFor()
  await typeAtEnd(page, '語')
  await choice.and(page.locator(':disabled')).waitFor()
  assert.equal(await save(page), 200)
  assert.deepEqual(contentOf(site, 'plain.txt'), Buffer.of(0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea))
  await close()
})

test('the keys of the editor work also after a save, when the file has another date', async () => {
  const { page, close } = await openText(site, '/plain.txt')
  await typeAtEnd(page, 'three')
  const listed = page.waitForResponse((response) => response.url().includes('/api/resources/plain.txt?content=false'))
  // The text is read again once the page has the new date.
  const reread = page.waitForResponse((response) => response.request().method() === 'GET' && response.url().includes('encoding='))
  assert.equal(await save(page), 200)
  await Promise.all([listed, reread])
  await typeAtEnd(page, 'four')
  assert.equal(await save(page), 200)
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\nthreefour')
  await page.keyboard.press('Control+f')
  await page.locator('.cm-search').waitFor()
  await close()
})

test('leaving unsaved text asks, and each answer does what it says', async () => {
  const { page, close } = await site.openListing()
  await entry(page, 'plain.txt').dblclick()
  await typeAtEnd(page, 'three')
  const prompt = page.getByRole('dialog', { name: /^Save changes to/ })
  await closeButton(page).click()
  await prompt.getByRole('button', { name: 'Cancel' }).click()
  await prompt.waitFor({ state: 'detached' })
  assert.match((await textOf(page).textContent()) ?? '', /three/)
  await page.goBack()
  await prompt.getByRole('button', { name: 'Save', exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('grid').waitFor()
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\nthree')
  await page.goForward()
  await typeAtEnd(page, 'lost')
  await page.getByRole('link', { name: 'My files' }).first().click()
  await prompt.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('grid').waitFor()
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\nthree')
  await close()
})

test('signing out with unsaved text asks first', async () => {
  const person = await site.newPerson()
  await signIn(person.page, site.url)
  await person.page.goto(`${site.url}/files/plain.txt`)
  await typeAtEnd(person.page, 'x')
  await person.page.getByRole('button', { name: 'Sign out' }).click()
  const prompt = person.page.getByRole('dialog', { name: /^Save changes to/ })
  await prompt.getByRole('button', { name: 'Save', exact: true }).click()
  await person.page.getByLabel('Username').waitFor()
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\nx')
  await person.close()
})

test('a dead session asks for the password over the text, and saves it afterwards', async () => {
  const { page, close } = await site.newPerson()
  await signIn(page, site.url)
  await page.goto(`${site.url}/files/plain.txt`)
  await typeAtEnd(page, 'kept')
  await endSessionDuring(page, () => page.keyboard.press('Control+s'))
  const prompt = page.getByRole('dialog', { name: 'Sign in to continue' })
  await prompt.waitFor()
  assert.match((await textOf(page).textContent()) ?? '', /kept/)
  await page.keyboard.press('Escape')
  await prompt.waitFor({ state: 'detached' })
  await page.locator('.toast').filter({ hasText: 'was not saved' }).waitFor()
  await textOf(page).focus()
  await page.keyboard.press('Control+s')
  await prompt.locator('input:focus').waitFor()
  await page.keyboard.type(administratorPassword)
  await page.keyboard.press('Enter')
  await prompt.waitFor({ state: 'detached' })
  await unsaved(page).waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\nkept')
  await page.locator('.toast').filter({ hasText: 'was not saved' }).waitFor({ state: 'detached' })
  await close()
})

test('a closed tab with unsaved text: the browser asks, and the draft is offered when the file is opened again', async () => {
  const { page, context, close } = await openText(site, '/plain.txt')
  await typeAtEnd(page, 'a draft')
  await until(async () => (await countDrafts(page)) !== undefined, 'the page has opened the place for drafts')
  const asked = page.waitForEvent('dialog')
  void page.close({ runBeforeUnload: true })
  const dialog = await asked
  assert.equal(dialog.type(), 'beforeunload')
  await dialog.accept()
  await page.waitForEvent('close').catch(() => undefined)
  const again = await context.newPage()
  await again.goto(`${site.url}/files/plain.txt`)
  await again.getByText('This file has text that was not saved').waitFor()
  assert.doesNotMatch((await textOf(again).textContent()) ?? '', /a draft/)
  await again.getByRole('button', { name: 'Restore' }).click()
  await textOf(again).getByText('a draft').waitFor()
  assert.equal(await save(again), 200)
  await unsaved(again).waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\na draft')
  await until(async () => (await countDrafts(again)) === 0, 'the draft is removed')
  await again.reload()
  await textOf(again).waitFor()
  await again.getByText('Line 1, column 1').waitFor()
  assert.equal(await again.getByText('This file has text that was not saved').count(), 0)
  await close()
})

test('a full disk on save keeps the text, says so, and trying again saves it', async () => {
  const { page, close } = await openText(site, '/plain.txt')
  await typeAtEnd(page, 'kept')
  await page.route('**/api/resources/plain.txt?encoding=*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    return route.fulfill({ status: 507, body: '507 Insufficient Storage\n' })
  })
  assert.equal(await save(page), 507)
  const notice = page.locator('.toast').filter({ hasText: 'was not saved' })
  await notice.waitFor()
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\n')
  assert.match((await textOf(page).textContent()) ?? '', /kept/)
  await page.unroute('**/api/resources/plain.txt?encoding=*')
  await notice.getByRole('button', { name: 'Try again' }).click()
  await unsaved(page).waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\nkept')
  await notice.waitFor({ state: 'detached' })
  await close()
})

test('a file that is deleted meanwhile keeps its text on the screen, and can be created again', async () => {
  const { page, close } = await openText(site, '/plain.txt')
  await typeAtEnd(page, 'kept')
  rmSync(join(site.root, 'plain.txt'))
  assert.equal(await save(page), 404)
  const notice = page.locator('.toast').filter({ hasText: 'is no longer on the server' })
  await notice.waitFor()
  await returnTo(page)
  assert.match((await textOf(page).textContent()) ?? '', /kept/)
  await notice.getByRole('button', { name: 'Create it again' }).click()
  await page.waitForFunction(() => document.activeElement?.matches('.cm-content'))
  await unsaved(page).waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\nkept')
  await close()
})

test('unsaved text whose file is gone can be left', async () => {
  const { page, close } = await openText(site, '/plain.txt')
  await typeAtEnd(page, 'kept')
  rmSync(join(site.root, 'plain.txt'))
  const found = page.waitForResponse((response) => response.url().endsWith('/api/resources/plain.txt?content=false'))
  await returnTo(page)
  assert.equal((await found).status(), 404)
  await closeButton(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(`${site.url}/files/`)
  await close()
})

test('a server that is busy while the file is looked at again leaves the text on the screen', async () => {
  const { page, close } = await openText(site, '/plain.txt')
  const isLook = (address: URL) => address.pathname === '/api/resources/plain.txt' && address.search === '?content=false'
  await page.route(isLook, (route) => route.fulfill({ status: 503, body: '503 Service Unavailable' }))
  const found = page.waitForResponse((response) => isLook(new URL(response.url())))
  await returnTo(page)
  await found
  await page.unroute(isLook)
  await typeAtEnd(page, 'kept')
  assert.equal(await save(page), 200)
  assert.equal(contentOf(site, 'plain.txt').toString(), 'one\ntwo\nkept')
  await close()
})

test('a sign-out removes the drafts of the person', async () => {
  const { page, close } = await site.newPerson()
  await signIn(page, site.url)
  await page.goto(`${site.url}/files/plain.txt`)
  await typeAtEnd(page, 'secret')
  await page.evaluate(() => dispatchEvent(new Event('blur')))
  await until(async () => (await countDrafts(page)) === 1, 'the draft is stored')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByLabel('Username').waitFor()
  await until(async () => (await countDrafts(page)) === 0, 'the draft is removed')
  await close()
})

for (const view of [{}, { width: 700, height: 800 }, { width: 390, height: 844, touch: true }])
  test(`a notice leaves the status bar of the editor free: ${view.width ?? 1280} px`, async () => {
    const { page, close } = await openText(site, '/plain.txt', view)
    // The browser logs the save that fails.
    page.removeAllListeners('console')
    await page.route('**/api/resources/plain.txt*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await typeAtEnd(page, 'three')
    await page.keyboard.press('Control+s')
    await page.locator('.toast-error').waitFor()
    const [notice, bar] = [await page.locator('.toast-error').boundingBox(), await page.locator('.statusbar').boundingBox()]
    assert.ok(notice && bar && notice.y + notice.height <= bar.y, JSON.stringify({ notice, bar }))
    await page.getByText('Waiting for the connection').waitFor()
    await close()
  })
