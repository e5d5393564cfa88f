// A listing works in the listed folder for a moment, and so changes the working folder of the whole process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { picture } from '../support/pictures.ts'
import { findProgram, startProgram } from '../support/server-program.ts'
import { listening } from '../support/start-executable.ts'
import { goodPassword, temporaryFolder } from '../support/start-state.ts'
import { plant } from '../support/tree.ts'

/** Enough for listings that take several turns, each of which works in the folder. */
const count = 2000

test('no call resolves a relative path: all work in an empty folder, beside listings that change it', async (t) => {
  const folder = temporaryFolder(t)
  const cwd = join(folder, 'empty')
  mkdirSync(cwd)
  // On whatever thread: a relative path leads to nothing here, and nothing but numbers is where a listing works.
  const child = startProgram(t, { program: await findProgram(), folder, cwd, env: { HOLDALL_ADMIN_PASSWORD: goodPassword } })
  const { url, output } = await listening(child)
  const many = Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/${index}`, '']))
  await plant(join(folder, 'files'), { ...many, 'd/a.txt': 'text', 'd/b.png': await picture('png', 400, 300) })

  const credentials = JSON.stringify({ username: 'admin', password: goodPassword })
  const token = await (await fetch(`${url}/api/login`, { method: 'POST', body: credentials })).text()
  const calls: [method: string, path: string, body?: string][] = [
    ['POST', '/api/resources/d/made/'],
    ['POST', '/api/resources/d/small.txt', 'small'],
    ['POST', '/api/resources/d/large.txt', 'large '.repeat(500_000)],
    ['PUT', '/api/resources/d/a.txt', 'changed'],
    ['PATCH', '/api/resources/d/a.txt?action=copy&destination=%2Fd%2Fmade%2Fa.txt'],
    ['PATCH', '/api/resources/d/made?action=copy&destination=%2Fcopied'],
    ['PATCH', '/api/resources/copied?action=rename&destination=%2Fd%2Fmoved'],
    ['GET', '/api/resources/d/a.txt?checksum=sha256'],
    ['GET', '/api/raw/d/a.txt'],
    ['GET', '/api/raw/d?algo=zip'],
    ['GET', '/api/raw/d?algo=tarbz2'],
    ['GET', '/api/raw/d?algo=tarxz'],
    ['GET', '/api/preview/thumb/d/b.png'],
    ['GET', '/api/search/?query=a'],
    ['GET', '/api/size/d'],
    ['GET', '/api/usage/'],
    ['POST', '/api/share/d'],
    ['GET', '/api/shares'],
    ['GET', '/api/settings'],
    ['GET', '/'],
    ['DELETE', '/api/resources/d/moved'],
  ]
  const send = async (method: string, path: string, body?: string) => {
    const answer = await fetch(url + path, { method, headers: { 'X-Auth': token }, ...(body !== undefined && { body }) })
    await answer.arrayBuffer()
    return `${method} ${path} ${answer.status}`
  }
  for (const [method, path, body] of calls) {
    const listings = [1, 2, 3].map(() => send('GET', '/api/resources/many/'))
    assert.equal(await send(method, path, body), `${method} ${path} 200`, output())
    assert.deepEqual(await Promise.all(listings), Array(3).fill('GET /api/resources/many/ 200'))
  }
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
  assert.deepEqual(readdirSync(cwd), [])
  assert.deepEqual(readdirSync(join(folder, 'files/many')).length, count)
})
