// `holdall users …`, with a running server and without one.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { type CliPlace, testCommand } from '../support/run-cli.ts'
import { deny, only, usual } from '../support/start-app.ts'

const setup = { users: { ann: { perm: allPermissions }, bob: { scope: '/bob', rules: [deny('/secret')] } } }

const named = ({ stored }: CliPlace, name: string) => stored().users.find(({ username }) => username === name)

async function hasPassword(place: CliPlace, name: string, password: string) {
  return new Passwords().verify(password, named(place, name)?.password)
}

const long = 'a password that is long'

testCommand('users list shows names and permissions, and no password', setup, async ({ cli, json }) => {
  const { code, out } = await cli('users', 'list')
  assert.equal(code, 0)
  assert.equal(
    out,
    `ID  NAME  SCOPE  PERMISSIONS
1   ann   /      admin
2   bob   /bob   execute,create,rename,modify,delete,share,download
`,
  )
  const [, bob] = (await json('users', 'ls')) as Record<string, unknown>[]
  assert.deepEqual(bob, {
    ...{ id: 2, username: 'bob', hasPassword: true, scope: '/bob', locale: '', lockPassword: false, viewMode: 'mosaic' },
    ...{ sorting: { by: 'name', asc: true }, perm: usual, commands: [], rules: [deny('/secret')] },
  })
  assert.deepEqual(
    ((await json('users', 'list', 'bob')) as { id: number }[]).map(({ id }) => id),
    [2],
  )
  await assert.rejects(cli('users', 'list', 'carl'), /StartupError: There is no user "carl"\./)
})

testCommand('users add makes a user with a password that is typed twice', setup, async (place) => {
  const { cliWith } = place
  const twice = { typed: [long, long] }
  const { code, asked } = await cliWith(twice, 'users', 'add', 'carl', '--scope', 'carl', '--perm', '+execute,-share')
  assert.deepEqual([code, asked], [0, ['Password: ', 'Again: ']])
  const carl = named(place, 'carl')
  assert.deepEqual([carl?.id, carl?.scope, carl?.perm], [3, '/carl', { ...usual, share: false }])
  assert.ok(await hasPassword(place, 'carl', long))
  await assert.rejects(cliWith({ typed: [long, 'another'] }, 'users', 'add', 'dora'), /the two passwords differ/)
  for (const [argv, sentence] of [
    [['carl'], 'the name is taken.\n'],
    [['dora', '--scope', '../x'], 'scope is the path of a folder.\n'],
    [['dora', '--locale', '12', '--sort', 'taste'], /^sorting has by/],
  ] as const) {
    const refused = await cliWith(twice, 'users', 'add', ...argv)
    assert.equal(refused.code, 1)
    assert.match(refused.err, sentence instanceof RegExp ? sentence : new RegExp(`^${sentence.replaceAll('.', '\\.')}$`))
  }
  const short = await cliWith({ input: 'short\n' }, 'users', 'add', 'dora', '--password-file', '-')
  assert.deepEqual([short.code, short.err], [1, 'the password must have at least 12 characters.\n'])
  assert.deepEqual(place.stored().users.length, 3)
})

testCommand('users update changes what is named, and rename the name', setup, async (place) => {
  const { cli, cliWith } = place
  const rules = JSON.stringify([deny('/a'), { allow: true, regex: true, regexp: { raw: '^/b' } }])
  const flags = ['--perm', 'download', '--rules', '-', '--view', 'list', '--sort=-size', '--lock-password', 'yes', '--locale=de']
  assert.equal((await cliWith({ input: rules }, 'users', 'update', 'bob', ...flags)).code, 0)
  const bob = named(place, 'bob')
  assert.deepEqual([bob?.perm, bob?.viewMode, bob?.lockPassword, bob?.locale], [only('download'), 'list', true, 'de'])
  assert.deepEqual([bob?.sorting, bob?.scope], [{ by: 'size', asc: false }, '/bob'])
  assert.deepEqual(bob?.rules, [deny('/a'), { allow: true, path: '', regex: true, regexp: { raw: '^/b' } }])
  assert.equal((await cli('users', 'update', 'bob', '--perm', '+create')).code, 0)
  assert.deepEqual(named(place, 'bob')?.perm, only('download', 'create'))
  assert.equal((await cli('users', 'rename', 'bob', 'robert')).code, 0)
  assert.equal(named(place, 'robert')?.id, 2)
  const last = await cli('users', 'update', 'ann', '--perm', 'download')
  assert.deepEqual([last.code, last.err], [1, 'one administrator must remain.\n'])
  await assert.rejects(cli('users', 'update', 'ann'), /Say what is to be changed/)
  await assert.rejects(cli('users', 'update', 'ann', '--perm', 'fly'), /"fly" is no permission\. They are admin, execute/)
})

testCommand('users remove takes the user away, but not the last administrator', setup, async ({ cli, stored }) => {
  const { code, out } = await cli('users', 'rm', '2')
  assert.deepEqual([code, out], [0, 'bob is removed. The files are still there.\n'])
  assert.deepEqual(
    stored().users.map(({ username }) => username),
    ['ann'],
  )
  assert.equal((await cli('users', 'remove', 'bob')).err, 'there is no user "bob".\n')
  assert.equal((await cli('users', 'remove', 'ann')).err, 'one administrator must remain.\n')
})

testCommand('users passwd gives a forgotten password, and ends the sessions of this person', setup, async (place) => {
  const { app, cli, cliWith, isRunning } = place
  const bob = isRunning ? await app.as('bob') : undefined
  writeFileSync(join(app.folder, 'password.mine'), `${long}\n`, { mode: 0o600 })
  assert.equal((await cli('users', 'passwd', 'bob', '--password-file', 'password.mine')).code, 0)
  assert.ok(await hasPassword(place, 'bob', long))
  assert.deepEqual(place.stored().sessions, [])
  assert.ok(bob === undefined || (await bob.get('/api/resources/')).status === 401)
  const shown = /^The new password of bob is (\w{20}) \(/.exec((await cli('users', 'passwd', 'bob', '--random')).out)?.[1]
  assert.ok(shown !== undefined && (await hasPassword(place, 'bob', shown)))
  const { out } = await cliWith({ isTerminal: false }, 'users', 'passwd', 'bob', '--random')
  const file = /^The new password of bob is in (.*) until it is changed\.\n$/.exec(out)?.[1] ?? ''
  assert.ok(await hasPassword(place, 'bob', readFileSync(file, 'utf8').trim()))
  assert.equal((await cliWith({ typed: [long, long] }, 'users', 'passwd', 'bob')).code, 0)
  assert.ok(!existsSync(file))
})

testCommand('users export has all that users import needs, elsewhere too', setup, async (place) => {
  const { cli, cliWith, stored } = place
  const { written, out } = await cli('users', 'export', 'users.json')
  assert.equal(out, '2 users are in users.json.\n')
  const text = written['users.json'] ?? ''
  assert.equal((await cli('users', 'export')).out, text)
  const before = named(place, 'bob')
  assert.equal((await cli('users', 'remove', 'bob')).code, 0)
  const { code, out: said } = await cliWith({ input: text }, 'users', 'import', '-')
  assert.deepEqual([code, said], [1, '1 users are added.\n"ann" does not come: the name is taken.\n'])
  const after = named(place, 'bob')
  assert.deepEqual({ ...after, changedAt: 0 }, { ...before, id: 3, changedAt: 0 })
  for (const wrong of ['{}', '[{}]', '[{"username":"x","passwordHash":"x"}]', '[{"username":"x","password":"$2a$10$"}]'])
    assert.equal((await cliWith({ input: wrong }, 'users', 'import', '-')).code, 1, wrong)
  assert.equal(stored().users.length, 2)
})
