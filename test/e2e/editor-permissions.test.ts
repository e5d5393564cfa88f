// The editor for somebody who may change files, and not create any.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { contentOf, save, textOf, typeAtEnd, unsaved } from '../support/editing.ts'
import { noticeShown } from '../support/notices.ts'
import { signIn } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { harvest } from '../support/tree.ts'

const site = startSite({
  files: { 'rota.yaml': 'opens: april\n' },
  user: { username: 'bob', may: ['modify', 'download'] },
})
const theirs = 'opens: may\n'
const mine = 'opens: april\nmine'

test('Keep mine without the right to create keeps theirs in the browser, where it is offered and restored', async () => {
  const { page, close } = await site.newPerson()
  await signIn(page, site.url, 'bob')
  await page.goto(`${site.url}/files/rota.yaml`)
  await textOf(page).waitFor()
  await typeAtEnd(page, 'mine')
  writeFileSync(join(site.root, 'rota.yaml'), theirs)
  assert.equal(await save(page), 412)
  await page.getByText('The other version stays in this browser for 7 days.').waitFor()
  await page.getByRole('button', { name: 'Keep mine', exact: true }).click()
  await noticeShown(page, 'Their version is kept in this browser for 7 days')
  await unsaved(page).waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'rota.yaml').toString(), mine)
  assert.deepEqual(await harvest(site.root), { 'rota.yaml': mine })
  await page.reload()
  await page.getByText('The other version of this file was kept').waitFor()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await textOf(page).getByText('opens: may').waitFor()
  // The person has seen both versions, so that it replaces the one on the server without another question.
  assert.equal(await save(page), 200)
  await unsaved(page).waitFor({ state: 'detached' })
  assert.equal(contentOf(site, 'rota.yaml').toString(), theirs)
  await close()
})
