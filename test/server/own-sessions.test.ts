// One's own sessions: /api/sessions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Session } from '../../src-server/contract/session.ts'
import { password, startApp } from '../support/start-app.ts'

const app = await startApp({ after }, { users: { ann: {}, ben: {}, eve: {} } })

/** Signs in with a client of some name. @returns calls with the token */
async function signIn(username: string, agent: string) {
  const headers = { 'User-Agent': agent }
  const answer = await app.principal().ask('POST', '/api/login', { body: JSON.stringify({ username, password }), headers })
  const token = await answer.text()
  const ask = (method: string, address: string) => app.principal().ask(method, address, { headers: { 'X-Auth': token } })
  const list = async () => (await (await ask('GET', '/api/sessions')).json()) as Session[]
  return { ask, list, isLiving: async () => (await ask('GET', '/api/resources/')).status === 200 }
}

test('sessions are listed with where, since when, last use, and which one this is', async () => {
  const phone = await signIn('ann', 'A phone')
  const desktop = await signIn('ann', `A desktop${' '.repeat(400)}`)
  await signIn('ben', 'Somebody else')
  const listed = await desktop.list()
  assert.deepEqual(listed.map(({ agent, isCurrent }) => [agent.trim(), isCurrent]).toSorted(), [
    ['A desktop', true],
    ['A phone', false],
  ])
  const now = Math.floor(app.clock.now() / 1000)
  for (const { address, createdAt, usedAt, agent } of listed) {
    assert.match(address, /^(127\.0\.0\.1|::1)$/)
    assert.deepEqual([createdAt, usedAt], [now, now])
    assert.ok(agent.length <= 200)
  }
  assert.equal((await phone.list()).length, 2)
})

test('one session is ended, and those of others are left alone without a word', async () => {
  const [here, there, ben] = [await signIn('eve', 'here'), await signIn('eve', 'there'), await signIn('ben', 'ben')]
  const idOf = async (agent: string) => (await here.list()).find((session) => session.agent === agent)?.id
  const [own] = (await ben.list()).filter(({ isCurrent }) => isCurrent)
  assert.equal((await here.ask('DELETE', `/api/sessions/${own?.id}`)).status, 200)
  assert.equal(await ben.isLiving(), true)
  assert.equal((await here.ask('DELETE', `/api/sessions/${await idOf('there')}`)).status, 200)
  assert.deepEqual([await here.isLiving(), await there.isLiving()], [true, false])
})

test('all other sessions are ended at once', async () => {
  const [here, one, two] = [await signIn('ann', 'here'), await signIn('ann', 'one'), await signIn('ann', 'two')]
  const ben = await signIn('ben', 'ben')
  assert.equal((await here.ask('DELETE', '/api/sessions')).status, 200)
  assert.deepEqual([await here.isLiving(), await one.isLiving(), await two.isLiving()], [true, false, false])
  assert.equal((await here.list()).length, 1)
  assert.equal(await ben.isLiving(), true)
})
