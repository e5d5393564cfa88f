// Archives of what cannot be read, of what changes meanwhile, and for clients that leave or ask for too much.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, symlinkSync, truncateSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { Limits } from '../../src-server/api/limits.ts'
import { startLogging, withoutPrivileges, zipped } from '../support/archive-calls.ts'
import { openBelow } from '../support/open-below.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

test('links in a circle end', async (t) => {
  const { root, as } = await startApp(t, { files: { 'a/x': 'x', 'b/y': 'y', 'a/b': { link: '../b' }, 'b/a': { link: '../a' } } })
  symlinkSync('.', join(root, 'a/self'))
  const names = Object.keys(await zipped(await as('ann'), '/'))
  assert.deepEqual(names.sort(), ['_not-included.txt', 'a/', 'a/b/', 'a/b/y', 'a/x', 'b/', 'b/a/', 'b/a/x', 'b/y'])
})

test('what cannot be read is left out, named in the log and in a last entry', async (t) => {
  const { app, ann, logged } = await startLogging(t, {
    'a.txt': 'a',
    'b.txt': 'b',
    'closed/c.txt': 'c',
    '_not-included.txt': 'mine',
  })
  execFileSync('mkfifo', [join(app.root, 'pipe')])
  chmodSync(join(app.root, 'b.txt'), 0)
  chmodSync(join(app.root, 'closed'), 0)
  const files = await withoutPrivileges(app, () => zipped(ann, '/'))
  const { '_not-included(1).txt': list = '', ...others } = files
  assert.deepEqual(others, { '_not-included.txt': 'mine', 'a.txt': 'a', 'closed/': '' })
  assert.deepEqual(list.split('\n').slice(2, -1).sort(), [
    'b.txt: it cannot be read',
    'closed: it cannot be read',
    'pipe: a device, a pipe or a socket',
  ])
  const paths = logged().filter(({ msg }) => msg === 'left out of an archive')
  assert.deepEqual(paths.map(({ path }) => path).sort(), ['/b.txt', '/closed', '/pipe'])
})

/** More than waits between the server and a client that has stopped reading. */
const noise = randomBytes(24 << 20)

for (const [what, change] of [
  ['gets shorter', (file: string) => truncateSync(file, 3 << 20)],
  ['gets longer', (file: string) => truncateSync(file, noise.length + 1)],
] as const)
  for (const algo of ['zip', 'tar', 'targz'])
    test(`a file that ${what} while it is packed as ${algo} ends the connection`, async (t) => {
      const { app, ann, logged } = await startLogging(t, { 'big.mp4': noise, 'small.txt': 's' })
      const answer = await ann.raw('/', `algo=${algo}`)
      const reader = answer.body?.getReader()
      await reader?.read()
      change(join(app.root, 'big.mp4'))
      await assert.rejects(async () => {
        while (!(await reader?.read())?.done);
      })
      await until(() => logged().some(({ msg }) => msg === 'an archive ended early'), 'it is logged')
    })

test('a client that goes stops the work, and every file is closed', async (t) => {
  const { root, port, as } = await startApp(t, { files: Object.fromEntries(big(20)) })
  const { token } = await as('ann')
  for (const algo of ['zip', 'tar', 'targz']) {
    const headers = { 'X-Auth': token ?? '' }
    await new Promise<void>((resolve) => {
      const request = get({ port, path: `/api/raw/?algo=${algo}`, headers }, (response) => {
        response.once('data', () => request.destroy())
        response.once('error', () => {})
        response.once('close', resolve)
      })
    })
    await until(() => openBelow(root).length === 0, 'all is closed')
  }
})

test('a person packs two at a time and all together eight; more wait shortly and are refused', async (t) => {
  const archives = { inAll: 3, ofOne: 2, waiting: { inAll: 2, ofOne: 1 }, longestWait: 1 }
  const { as } = await startApp(t, {
    files: Object.fromEntries(big(4)),
    users: { ann: {}, bob: {} },
    services: { limits: new Limits({ archives }) },
  })
  const [ann, bob] = [await as('ann'), await as('bob')]
  const open = [await ann.raw('/'), await ann.raw('/')]
  const refused = await ann.raw('/')
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'])
  open.push(await bob.raw('/'))
  assert.deepEqual(
    open.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal((await bob.raw('/')).status, 503)
  assert.equal((await ann.raw('/0.mp4', '', { Range: 'bytes=0-1' })).status, 206)
  await Promise.all(open.map((answer) => answer.body?.cancel()))
  await until(async () => {
    const answer = await ann.raw('/')
    await answer.body?.cancel()
    return answer.status === 200
  }, 'there is room again')
})

function big(count: number): [string, Buffer][] {
  return Array.from({ length: count }, (_, index) => [`${index}.mp4`, Buffer.alloc(4 << 20, 'b')])
}
