// Plain HTTP with a host name of the local network, which is not a secure context.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { noticeShown } from '../support/notices.ts'
import { downloadFocused, showList, signIn, uploadByButton } from '../support/person.ts'
import { copyRealFiles, digestOf } from '../support/real-files.ts'
import { startSite } from '../support/site.ts'

const site = startSite({ args: ['--host-resolver-rules=MAP holdall.lan 127.0.0.1'] })

test('sign-in, listing, upload and download work over http://holdall.lan', async () => {
  const person = await site.newPerson()
  const { page } = person
  const source = join(site.folder, 'source')
  const names = await copyRealFiles(source, 12)
  await writeFile(join(site.root, 'already here.txt'), 'seen')

  await signIn(page, site.url.replace('127.0.0.1', 'holdall.lan'))
  assert.equal(await page.evaluate(() => window.isSecureContext), false)
  await page.getByRole('row', { name: /already here/ }).waitFor()
  await uploadByButton(
    page,
    names.map((name) => join(source, name)),
  )
  await noticeShown(page, '12 files uploaded')
  await showList(page)
  for (const name of names) assert.equal(await digestOf(join(site.root, name)), await digestOf(join(source, name)))

  await page.getByRole('row', { name: /already here/ }).click()
  const download = await downloadFocused(page)
  assert.equal(await readFile(await download.path(), 'utf8'), 'seen')
  await person.close()
})
