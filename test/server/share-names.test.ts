// Names that have broken some server, in what public links answer and in the activity log: headers, listings, archives, pages, lines.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ActivityEntry } from '../../src-server/activity/activity-line.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { rawRequest } from '../support/raw-request.ts'
import { readShare, share } from '../support/share-calls.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const names = [...nastyNames, '$(touch x)', '`touch x`', '; id', '"; touch x; "', '"><script>alert(1)', 'a\r\nX-Evil: 1']

test('a link to a file of any name is answered with safe headers, its own name and content, and recorded as one line', async (t) => {
  const app = await startApp(t, { options: ({ folder }) => ({ auditLog: join(folder, 'activity.log') }) })
  const [ann, stranger] = [await app.as('ann'), app.principal()]
  const before = process.cwd()
  process.chdir(app.folder)
  t.after(() => process.chdir(before))
  const file = join(app.folder, 'activity.log')
  for (const name of names) {
    writeFileSync(join(app.root, name), name)
    const { hash } = await share(ann, `/${name}`)
    assert.equal((await readShare(stranger, hash)).name, name)
    const answer = await rawRequest({ port: app.port, method: 'GET', address: `/api/public/dl/${hash}` })
    assert.equal(answer.status, 200, name)
    const headers = { Cookie: (answer.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '' }
    assert.equal(await (await stranger.ask('GET', `/api/public/dl/${hash}`, { headers })).text(), name)
    assert.equal(answer.headers['x-evil'], undefined)
    const disposition = answer.headers['content-disposition'] ?? ''
    assert.match(
      disposition,
      /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*"(; filename\*=UTF-8''[\w.~!#$&+^`|%-]*)?$/,
      name,
    )
    const page = await stranger.ask('GET', `/share/${hash}`)
    assert.doesNotMatch(await page.text(), /alert\(1\)|touch x/, 'the page itself holds no name')
  }
  const lines = () => readFileSync(file, 'utf8').split('\n').filter(Boolean)
  await until(() => existsSync(file) && lines().length >= 2 * names.length, 'every share and download is recorded')
  const entries = lines().map((line) => JSON.parse(line) as ActivityEntry)
  for (const what of ['share', 'download'])
    assert.deepEqual(
      entries.filter((entry) => entry.what === what).map(({ path }) => path),
      names.map((name) => `/${name}`),
      what,
    )
  for (const line of lines()) assert.match(line, /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u)
  assert.equal(existsSync(join(app.folder, 'x')) || existsSync(join(app.root, 'x')), false)
})

test('a link to a folder lists and opens its entries, whatever their names', async (t) => {
  const app = await startApp(t)
  const [ann, stranger] = [await app.as('ann'), app.principal()]
  const folder = '<b>"all"\n'
  mkdirSync(join(app.root, folder))
  for (const name of names) writeFileSync(join(app.root, folder, name), name)
  const { hash } = await share(ann, `/${folder}`)
  const listed = (await readShare(stranger, hash)).items?.map(({ name }) => name) ?? []
  assert.deepEqual(listed.toSorted(), names.toSorted())
  for (const name of names) {
    const answer = await stranger.ask('GET', `/api/public/dl/${hash}/${encodeURIComponent(name)}`)
    assert.equal(answer.status, 200, name)
    assert.equal(await answer.text(), name)
  }
})
