// What ends a request that brings bytes of an upload: what has come until then is kept.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { stop } from '../../src-server/listening.ts'
import { startApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { checksum, told, tusCalls } from '../support/tus-calls.ts'
import { until } from '../support/until.ts'

const mebibyte = 1 << 20

/** A body of which some bytes come, and then nothing. */
function halfBody(bytes: Uint8Array) {
  let end: (reason: Error) => void = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      end = (reason) => controller.error(reason)
    },
  })
  return { body, end: () => end(new Error('the client leaves')) }
}

/** An upload of which at least a mebibyte has come. `sending`: the request. */
async function start(t: TestContext) {
  const app = await startApp(t)
  const tus = tusCalls(await app.as('ann'))
  const content = randomBytes(3 * mebibyte)
  const address = (await tus.create('/a', content.length)).headers.get('location') ?? ''
  const { body, end } = halfBody(content.subarray(0, 2 * mebibyte))
  const sending = tus.patch(address, 0, body)
  sending.catch(() => {})
  const written = () => readdirSync(app.root).map((name) => statSync(join(app.root, name)).size)[0] ?? 0
  await until(() => written() >= mebibyte, 'bytes come')
  const offset = async () => Number((await tus.list())[0]?.offset)
  /** Sends the rest. */
  const goOn = async () => {
    const { offset: from = 0 } = told(await tus.head(address))
    assert.ok(from >= mebibyte, `${from} bytes`)
    assert.deepEqual(told(await tus.patch(address, from, content.subarray(from))), { status: 204, offset: content.length })
    assert.ok(readFileSync(join(app.root, 'a')).equals(content))
  }
  return { ...app, tus, address, sending, end, offset, goOn }
}

test('what came is kept when the client leaves', async (t) => {
  const { sending, end, offset, goOn } = await start(t)
  end()
  await assert.rejects(sending)
  await until(async () => (await offset()) >= mebibyte, 'what came is kept')
  await goOn()
})

test('what came is kept when another page asks about the upload', async (t) => {
  const { sending, goOn } = await start(t)
  await goOn()
  assert.equal((await sending).status, 412)
})

test('a creation that breaks off amid its bytes leaves nothing, as nobody knows its address', async (t) => {
  const { root, parts, as } = await startApp(t)
  const tus = tusCalls(await as('ann'))
  for (const length of [3 * mebibyte, undefined]) {
    const { body, end } = halfBody(randomBytes(2 * mebibyte))
    const sending = tus.create('/a', length, { body })
    sending.catch(() => {})
    await until(async () => (await tus.list())[0]?.isReceiving === true, 'bytes come')
    end()
    await assert.rejects(sending)
    await until(async () => (await tus.list()).length === 0, 'it is removed')
  }
  assert.deepEqual([readdirSync(root), readdirSync(`${parts.state.file}.uploads`)], [[], []])
  assert.equal((await tus.create('/a', 6, { body: 'abcdef', headers: checksum('abcdeg') })).status, 460)
  assert.deepEqual(await tus.list(), [])
})

test('what came is kept when the right to it is withdrawn', async (t) => {
  const { sending, offset, parts, goOn } = await start(t)
  const change = (create: boolean) =>
    changeUser(parts, userIn(parts.state, 'ann')?.id ?? 0, (user) => {
      user.perm = { ...usual, create }
    })
  await change(false)
  await assert.rejects(sending)
  await until(async () => (await offset()) >= mebibyte, 'what came is kept')
  await change(true)
  await goOn()
})

test('what came is kept when the server ends, which does not wait for the rest', async (t) => {
  const { sending, parts } = await start(t)
  const stopped = stop(parts.app, 600_000)
  const answer = await sending
  assert.deepEqual([answer.status, Number(answer.headers.get('retry-after')) > 0], [503, true])
  await stopped
})
