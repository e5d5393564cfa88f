import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBelow } from '../support/open-below.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

test('a state that --database names through a link is protected, and so is the link', async (t) => {
  const app = await startApp(t, {
    files: { 'kept/mine.txt': 'mine' },
    options: ({ root }) => {
      mkdirSync(join(root, 'kept'), { recursive: true })
      symlinkSync('kept/holdall.json', join(root, 'settings.json'))
      return { database: join(root, 'settings.json') }
    },
  })
  assert.ok(readdirSync(join(app.root, 'kept')).includes('holdall.json.lock'))
  const ann = await app.as('ann')
  assert.deepEqual(await ann.list('/'), ['kept'])
  assert.deepEqual(await ann.list('/kept'), ['mine.txt'])
  for (const path of ['/settings.json', '/kept/holdall.json', '/kept/holdall.json.lock', '/kept/holdall.json.backup-new']) {
    assert.equal((await ann.raw(path)).status, 403, path)
    assert.equal((await ann.upload(path, 'x', 'override=true')).status, 403, path)
  }
})

test('a stopped server has no open handle of its state', async (t) => {
  const app = await startApp(t, { files: { 'a.txt': 'x' } })
  const ann = await app.as('ann')
  assert.deepEqual(await ann.list('/'), ['a.txt'])
  assert.ok(openBelow(app.folder).some((file) => file.endsWith('/state.json')))
  await app.close()
  await until(() => openBelow(app.folder).length === 0, 'a file is still open')
})
