// An administrator changes the rights of a person whose page is open.
import assert from 'node:assert/strict'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { entry } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { signIn } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

/** Bytes: more than sockets and browsers buffer. */
const largeSize = 400_000_000

const site = startSite({
  user: { username: 'ann', may: ['create', 'download'] },
  prepare: async ({ root }) => {
    mkdirSync(join(root, 'people/ann'), { recursive: true })
    writeFileSync(join(root, 'people/ann/own.txt'), 'own')
    writeFileSync(join(root, 'secret.txt'), 'secret')
    writeFileSync(join(root, 'large.bin'), '')
    truncateSync(join(root, 'large.bin'), largeSize)
  },
})

/** Begins a download that waits after its beginning: the rest is not sent before it is read. */
const beginDownload = (page: Page) =>
  page.evaluateHandle(async () => {
    const body = (await fetch('/api/raw/large.bin')).body?.getReader()
    const first = await body?.read()
    return { size: first?.value?.length ?? 0, body }
  })

/** @returns whether the download ends before its content does */
const isCut = (download: Awaited<ReturnType<typeof beginDownload>>) =>
  download.evaluate(async ({ body }) => {
    try {
      while (!(await body?.read())?.done);
      return false
    } catch {
      return true
    }
  })

/** Saves the user, and waits until the form can be changed and saved again. */
async function save(page: Page) {
  const button = page.getByRole('button', { name: 'Save', exact: true })
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/api/users/'),
  )
  await button.click()
  assert.equal((await answer).status(), 200)
  await noticeShown(page, 'User updated!')
  await button.and(page.locator(':enabled:not([aria-busy="true"])')).waitFor()
}

test('a permission, a rule and the scope that an administrator changes are followed by the open page, and its download ends', async () => {
  const administrator = await site.openListing()
  const ann = await site.newPerson()
  await signIn(ann.page, site.url, 'ann')
  await entry(ann.page, 'secret.txt').waitFor()
  const upload = ann.page.getByRole('button', { name: 'Upload', exact: true })
  await upload.first().waitFor()
  const settings = administrator.page
  await settings.goto(`${site.url}/settings/users/2`)

  const download = await beginDownload(ann.page)
  assert.ok((await download.evaluate(({ size }) => size)) > 0)
  await settings.getByRole('checkbox', { name: 'Create files and folders', exact: true }).uncheck()
  await save(settings)
  await upload.first().waitFor({ state: 'detached' })
  assert.equal(await isCut(download), true)

  await settings.getByRole('button', { name: 'New rule', exact: true }).click()
  await settings.getByRole('textbox', { name: 'Path', exact: true }).fill('/secret.txt')
  await settings.getByRole('combobox', { name: 'Allow or deny' }).selectOption('deny')
  await save(settings)
  await entry(ann.page, 'secret.txt').waitFor({ state: 'detached' })
  await entry(ann.page, 'people').waitFor()

  await settings.getByRole('textbox', { name: 'Scope', exact: true }).fill('/people/ann')
  await save(settings)
  await entry(ann.page, 'own.txt').waitFor()
  assert.equal(await entry(ann.page, 'people').count(), 0)
  // Its console reports the download that was cut.
  await ann.context.close()
  await administrator.close()
})

test('the open settings of a person whose password an administrator changes ask to sign in, without a click', async () => {
  const administrator = await site.openListing()
  const ann = await site.newPerson()
  await signIn(ann.page, site.url, 'ann')
  await ann.page.goto(`${site.url}/settings/profile`)
  await ann.page.getByRole('form', { name: 'Language' }).waitFor()
  await administrator.page.goto(`${site.url}/settings/users/2`)
  await administrator.page.getByLabel('Password', { exact: true }).fill('quite another 100%')
  await save(administrator.page)
  const password = ann.page.getByRole('dialog').getByLabel('Password', { exact: true })
  await password.waitFor()
  await password.fill('quite another 100%')
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
  await password.waitFor({ state: 'detached' })
  await administrator.page.getByLabel('Password', { exact: true }).fill(administratorPassword)
  await save(administrator.page)
  await ann.context.close()
  await administrator.close()
})

test('the page of a person who is deleted asks to sign in, without a click', async () => {
  const administrator = await site.openListing()
  const ann = await site.newPerson()
  await signIn(ann.page, site.url, 'ann')
  await ann.page.locator('.pane').waitFor()
  await administrator.page.goto(`${site.url}/settings/users/2`)
  await administrator.page.getByRole('button', { name: 'Delete', exact: true }).click()
  await administrator.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await noticeShown(administrator.page, 'User deleted!')
  await ann.page.getByRole('dialog').getByLabel('Password', { exact: true }).waitFor()
  await ann.context.close()
  await administrator.close()
})
