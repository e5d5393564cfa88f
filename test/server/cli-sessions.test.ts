// `holdall sessions …`, with a running server and without one.
import assert from 'node:assert/strict'
import { testCommand } from '../support/run-cli.ts'

const session = {
  createdAt: 1_795_900_000,
  usedAt: 1_795_900_060,
  expiresAt: 4_000_000_000,
  address: '10.1.2.3',
  agent: 'curl\u001b[2J\u009b',
}

testCommand(
  'sessions are listed, and ended one by one, of one user and of all',
  { users: { ann: {}, bob: {} } },
  async (place) => {
    const { cli, json, stored } = place
    const ids = () => stored().sessions.map(({ id }) => id)
    assert.deepEqual(await json('sessions', 'list'), [])
    await place.edit((draft) => {
      const of = (id: string, userId: number) => ({ ...session, id, userId, createdAt: Math.floor(Date.now() / 1000) })
      draft.sessions = [of('a1', 1), of('a2', 1), of('b1', 2), of('b2', 2), of('b3', 2)]
    })
    const list = (await cli('sessions', 'list', '--user', 'ann')).out.split('\n')
    assert.deepEqual([list.length, list[0]?.split(/ +/)[0]], [4, 'ID'])
    assert.match(
      list[1] ?? '',
      /^a1 +ann +\d{4}-\d\d-\d\d \d\d:\d\dZ +2026-11-28 \d\d:\d\dZ +10\.1\.2\.3 +curl\\u\{1b\}\[2J\\u\{9b\}$/,
    )
    const text = (await cli('sessions', 'list', '--json')).out
    assert.ok(/\\u009b/.test(text) && !/[^\P{C}\n]/u.test(text))
    assert.equal((await cli('sessions', 'end', 'b1')).out, '1 session has ended.\n')
    assert.deepEqual(ids(), ['a1', 'a2', 'b2', 'b3'])
    assert.equal((await cli('sessions', 'end', 'b1')).err, 'there is no session "b1".\n')
    assert.equal((await cli('sessions', 'end', '--user', 'bob')).out, '2 sessions have ended.\n')
    assert.deepEqual(ids(), ['a1', 'a2'])
    await assert.rejects(cli('sessions', 'end'), /Name one session/)
    assert.equal((await cli('sessions', 'end', '--all')).code, 0)
    assert.deepEqual(ids(), [])
  },
)
