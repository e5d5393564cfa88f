// A mount whose server is gone: calls for it do not return, and each occupies a thread of the pool.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { mountPointNames } from '../../src-server/disk/file-systems.ts'
import { descriptorStrategy, type HandleStrategy } from '../../src-server/disk/path-handle.ts'
import type { SystemPath } from '../../src-server/disk/system.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const open = promisify(fs.open)
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4

// Mount points are known by their names, in whatever folder.
const [dead = '', well = ''] = [...(mountPointNames() ?? [])].filter((name) => /^[a-z]+$/.test(name) && name !== 'fd')

/** A server with two mounts in its root, one of which does not answer until the test ends, and a folder of the same name elsewhere. */
async function startWithDeadMount(t: TestContext) {
  const folder = fs.mkdtempSync(join(tmpdir(), 'holdall-fifo-'))
  const fifo = join(folder, 'fifo')
  execFileSync('mkfifo', [fifo])
  const blocked = { now: 0, most: 0 }
  let isThawed = false
  const answered = async <T>(address: SystemPath, call: () => Promise<T>) => {
    if (!isThawed && String(address).endsWith(`/${dead}`) && fs.existsSync(join(dirname(String(address)), well))) {
      blocked.most = Math.max(blocked.most, ++blocked.now)
      // Opening a FIFO without a writer blocks a thread of the pool.
      fs.closeSync(await open(fifo, 'r'))
      blocked.now--
    }
    return call()
  }
  const thaw = async () => {
    isThawed = true
    const writer = fs.openSync(fifo, fs.constants.O_RDWR)
    await until(() => blocked.now === 0, 'all calls have returned')
    fs.closeSync(writer)
  }
  // Before the server is closed, which waits for the calls.
  t.after(thaw)
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const strategy: HandleStrategy = {
    ...descriptorStrategy,
    openPath: (address) => answered(address, () => descriptorStrategy.openPath(address)),
    lstat: (address) => answered(address, () => descriptorStrategy.lstat(address)),
  }
  const files = { [`${dead}/f`]: 'x', [`${well}/f`]: 'x', [`other/${dead}/f`]: 'x', f: 'x' }
  const app = await startApp(t, { files, users: { ann: {}, ben: {} }, services: { strategy } })
  return { app, blocked, thaw }
}

const kinds: [method: string, address: string, body?: string][] = [
  ['GET', `/api/resources/${dead}/`],
  ['GET', `/api/raw/${dead}/f`],
  ['GET', `/api/size/${dead}/`],
  ['GET', `/api/preview/thumb/${dead}/f`],
  ['PUT', `/api/resources/${dead}/f`, 'y'],
  ['POST', `/api/resources/${dead}/new`, 'y'],
  ['PATCH', `/api/resources/${dead}/f?action=rename&destination=%2Fg`],
  ['DELETE', `/api/resources/${dead}/f`],
]

test('after 200 requests to a mount that does not answer, whose clients have left, root and another mount answer', async (t) => {
  const { app, blocked, thaw } = await startWithDeadMount(t)
  const [ann, ben] = [await app.as('ann'), await app.as('ben')]
  let [arrived, left] = [0, 0]
  app.parts.app.server.on('request', (_request, response) => {
    arrived++
    response.on('close', () => left++)
  })
  const leaving = new AbortController()
  const asked = Array.from({ length: 200 }, (_, index) => {
    const [method, address, body] = kinds[index % kinds.length] as (typeof kinds)[0]
    return ann.ask(method, address, { signal: leaving.signal, ...(body && { body }) })
  })
  await until(() => arrived === 200 && blocked.now > 0, 'all have arrived')
  leaving.abort()
  await Promise.allSettled(asked)
  await until(() => left === 200, 'all clients have left')
  for (const user of [ann, ben]) {
    assert.deepEqual(new Set(await user.list('/')), new Set([dead, well, 'other', 'f']))
    assert.deepEqual(await user.list(`/${well}`), ['f'])
    assert.equal((await user.save('/f', 'z')).status, 200)
  }
  assert.ok(blocked.most <= threads / 2, `${blocked.most} of ${threads} threads were blocked`)
  await thaw()
  assert.deepEqual(await ann.list(`/${dead}`), ['f'])
})

test('a folder with the name of a mount that does not answer is opened and listed elsewhere', async (t) => {
  const { app, blocked } = await startWithDeadMount(t)
  const [ann, ben] = [await app.as('ann'), await app.as('ben')]
  const leaving = new AbortController()
  const asked = Array.from({ length: 80 }, (_, index) => {
    const [method, address, body] = kinds[index % kinds.length] as (typeof kinds)[0]
    return ann.ask(method, address, { signal: leaving.signal, ...(body && { body }) })
  })
  await until(() => blocked.now >= 4, 'as many calls hang as may')
  // Within two seconds from here further calls may begin.
  const hangs = performance.now() + 2000
  await until(() => blocked.now >= threads / 2 || performance.now() > hangs, 'no further call may begin')
  const ofOther = (await (await ben.ask('GET', '/api/resources/other/')).json()) as { items: { name: string; isDir: boolean }[] }
  assert.deepEqual(
    ofOther.items.map(({ name, isDir }) => [name, isDir]),
    [[dead, true]],
  )
  assert.equal((await ben.ask('GET', `/api/raw/other/${dead}/f`)).status, 200)
  leaving.abort()
  await Promise.allSettled(asked)
})

test('a mount that does not answer is listed as unreachable in the folder around it', async (t) => {
  const { app } = await startWithDeadMount(t)
  const { items = [] } = await (await app.as('ann')).read('/')
  const unreachable = items.filter((entry) => entry.unreachable)
  assert.deepEqual(
    unreachable.map(({ name, unreachable }) => [name, unreachable]),
    [[dead, 'unanswered']],
  )
})

test('a folder that the disk does not answer for is 503 after ten seconds, with a time to ask again', async (t) => {
  const { app, blocked } = await startWithDeadMount(t)
  const asked = (await app.as('ann')).get(`/${dead}/`)
  await until(() => blocked.now > 0, 'the disk is asked')
  app.clock.advance({ seconds: 10 })
  const answer = await asked
  assert.deepEqual([answer.status, answer.headers.get('Retry-After')], [503, '2'])
})
