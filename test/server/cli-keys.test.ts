// `holdall keys rotate`, with a running server and without one.
import assert from 'node:assert/strict'
import { testCommand } from '../support/run-cli.ts'
import { share } from '../support/share-calls.ts'
import { password } from '../support/start-app.ts'

const setup = { users: { ann: {}, bob: {} }, files: { 'a.txt': 'a' } }

testCommand('keys rotate ends all sessions and what was signed, at once', setup, async (place) => {
  const { app, cli, json, isRunning, stored } = place
  const status = async (path: string, headers: Record<string, string>) => (await fetch(app.url + path, { headers })).status
  const people = isRunning ? [await app.as('ann'), await app.as('bob')] : []
  const link = people[0] && (await share(people[0], '/a.txt', { password: 'a long password' }))
  const address = `/api/public/dl/${link?.hash}`
  const opened =
    link && (await fetch(app.url + address, { headers: { 'x-share-password': encodeURIComponent('a long password') } }))
  const cookie =
    opened?.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ') ?? ''
  if (link) assert.deepEqual([opened?.status, await status(address, { cookie })], [200, 200])
  const before = stored()
  const { code, out } = await cli('keys', 'rotate')
  const ended = isRunning ? '2 sessions have ended' : '0 sessions have ended'
  assert.deepEqual([code, out], [0, `The keys are new: ${ended}, and everybody signs in again.\n`])
  const after = stored()
  assert.equal(after.keys.length, 1)
  assert.ok(before.keys.every(({ kid, secret }) => after.keys.every((key) => key.kid !== kid && key.secret !== secret)))
  assert.ok(after.keys.every(({ secret }) => Buffer.from(secret, 'base64url').length === 32 && !out.includes(secret)))
  assert.deepEqual([after.sessions, after.users.map(({ accessEpoch }) => accessEpoch)], [[], [1, 1]])
  assert.deepEqual(
    after.users.map(({ password: hash }) => hash),
    before.users.map(({ password: hash }) => hash),
  )
  if (isRunning) {
    for (const person of people) assert.equal((await person.ask('GET', '/api/resources/')).status, 401)
    assert.equal(await status(address, { cookie }), 401)
    // What the running server signs from now on is right.
    const body = JSON.stringify({ username: 'ann', password })
    const again = await fetch(`${app.url}/api/login`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    assert.equal(again.status, 200)
    assert.equal(await status('/api/resources/', { 'x-auth': await again.text() }), 200)
    assert.equal(app.events.filter((event) => event === 'serverSettings').length, 1)
  }
  assert.deepEqual(await json('keys', 'rotate'), { sessions: isRunning ? 1 : 0 })
})
