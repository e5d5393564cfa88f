// Pasting a folder whose name is taken: the prompt shows what a merge would replace, and nothing changes before the answer.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pick } from '../support/listing.ts'
import { noticeShown } from '../support/notices.ts'
import { startSite } from '../support/site.ts'

const site = startSite({
  files: {
    'trip/a.txt': 'mine',
    'trip/day 1/b.txt': 'mine',
    'trip/new.txt': 'mine',
    'box/trip/a.txt': 'theirs',
    'box/trip/day 1/b.txt': 'theirs',
  },
})

const read = (name: string) => readFileSync(join(site.root, name), 'utf8')

test('the prompt says Merge, and lists what inside would be replaced', async () => {
  const ann = await site.openListing()
  const { page } = ann
  await pick(page, 'trip')
  await page.keyboard.press('Control+c')
  await page.getByRole('link', { name: 'box', exact: true }).dblclick()
  await page.getByRole('link', { name: 'trip', exact: true }).waitFor()
  await page.keyboard.press('Control+v')
  const prompt = page.getByRole('dialog')
  await prompt.getByText('2 files inside would be replaced').waitFor()
  // Names are wrapped in invisible Unicode isolates.
  const names = await prompt.getByRole('listitem').allTextContents()
  assert.deepEqual(
    names.map((name) => name.replace(/[\u2068\u2069]/g, '')),
    ['trip/a.txt', 'trip/day 1/b.txt'],
  )
  assert.equal(await prompt.getByRole('button', { name: 'Replace' }).count(), 0)
  assert.equal(read('box/trip/a.txt'), 'theirs')
  await prompt.getByRole('button', { name: 'Merge' }).click()
  await noticeShown(page, '1 item copied to')
  assert.deepEqual([read('box/trip/a.txt'), read('box/trip/day 1/b.txt'), read('box/trip/new.txt')], ['mine', 'mine', 'mine'])
  await ann.close()
})
