// `holdall shares …`, with a running server and without one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOptions } from '../../src-server/options/read-options.ts'
import type { StoredLink, StoredRequest } from '../../src-server/state/state-data.ts'
import { type CliPlace, testCommand } from '../support/run-cli.ts'
import { downloaded } from '../support/share-calls.ts'

const link: Omit<StoredLink, 'hash'> = {
  userId: 1,
  path: '/a.txt',
  isDir: false,
  identity: '',
  expire: 0,
  createdAt: 1_795_900_000,
}
const dashed = '-bcdefghijklmnopqrstuv'

const request: StoredRequest = {
  ...{ hash: 'request1', userId: 1, path: '/in', isDir: true, identity: '', expire: 0, createdAt: 1_795_900_000 },
  ...{ title: 'Photos', mostBytes: 10, mostFileBytes: 10, mostFiles: 10, filesAnHour: 10 },
  ...{ asksName: false, hasFolders: true, tells: false, seen: 0, closedAt: 1_795_900_001 },
}

const setup = { users: { ann: {}, bob: {} }, files: { 'a.txt': 'a' } }

function plantLinks(place: CliPlace) {
  return place.edit((draft) => {
    draft.links = [
      {
        ...link,
        hash: 'ends',
        userId: 2,
        path: '/b\u001b[2J',
        isDir: true,
        expire: 4_000_000_000,
        note: 'for Ann',
        mostDownloads: 2,
      },
      { ...link, hash: dashed, password: 'a hash' },
      { ...link, hash: 'ended', expire: 1000 },
    ]
    draft.requests = [request]
  })
}

const hashes = ({ stored }: CliPlace) => [...stored().links, ...stored().requests].map(({ hash }) => hash)

testCommand('shares list shows the links of all people, and no password', setup, async (place) => {
  assert.deepEqual(await place.json('shares', 'list'), [])
  await plantLinks(place)
  const { code, out } = await place.cli('shares', 'list')
  assert.equal(code, 0)
  assert.equal(
    out,
    `HASH                    KIND     OWNER  MADE               ENDS               PASSWORD  PATH         NOTE
${dashed}  share    ann    2026-11-28 21:06Z  never              yes       /a.txt
request1                request  ann    2026-11-28 21:06Z  closed             no        /in          Photos
ends                    share    bob    2026-11-28 21:06Z  2096-10-02 07:06Z  no        /b\\u{1b}[2J  for Ann
`,
  )
  assert.deepEqual(await place.json('shares', 'ls', '--user', 'bob'), [
    {
      ...{ hash: 'ends', kind: 'share', username: 'bob', path: '/b\u001b[2J', isDir: true, created: 1_795_900_000 },
      ...{ expire: 4_000_000_000, hasPassword: false, note: 'for Ann', mostDownloads: 2 },
    },
  ])
  assert.equal((await place.cli('shares', 'list', '--user', 'carl')).err, 'there is no user "carl".\n')
})

testCommand('shares remove ends a link of either kind at once', setup, async (place) => {
  await plantLinks(place)
  const { cli, app, isRunning } = place
  if (isRunning) {
    await place.edit((draft) => {
      draft.links = [...draft.links, { ...link, hash: 'open' }]
    })
    assert.deepEqual(await downloaded(app.principal(), 'open'), [200, 'a'])
    assert.equal((await cli('shares', 'remove', 'open')).code, 0)
    assert.equal((await downloaded(app.principal(), 'open'))[0], 404)
  }
  const { code, out } = await cli('shares', 'remove', dashed)
  assert.deepEqual([code, out], [0, 'The link to /a.txt is removed.\n'])
  assert.deepEqual(await place.json('shares', 'rm', 'request1'), { hash: 'request1', path: '/in' })
  assert.deepEqual(hashes(place), ['ends', 'ended'])
  for (const gone of [dashed, 'ended', 'request1']) {
    const again = await cli('shares', 'remove', gone)
    assert.deepEqual([again.code, again.err], [1, `there is no link "${gone}".\n`])
  }
  if (isRunning) assert.deepEqual(app.events.slice(-2), ['unshare', 'unshare'])
})

test('an id that begins with a dash is no option', () => {
  const read = (...argv: string[]) =>
    readOptions({ argv, env: {}, cwd: '/', location: { executable: '/holdall' }, version: '1.0.0' })
  for (const argv of [
    ['shares', 'remove', dashed],
    ['sessions', 'end', dashed, '--json'],
    // As File Browser makes them.
    ['shares', 'remove', '-Ab3_x9Q'],
    ['shares', 'remove', '-passwor'],
  ]) {
    const start = read(...argv)
    assert.ok(start.kind === 'command')
    assert.deepEqual(start.request.args, [argv[2]])
  }
  // The only option that is as long.
  const start = read('shares', 'remove', 'x', '--link-password-length', '12')
  assert.ok(start.kind === 'command')
  assert.deepEqual([start.request.args, start.options.linkPasswordLength], [['x'], 12])
})
