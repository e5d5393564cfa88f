// What the program does instead of serving: --health and --reset-password.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { askHealth } from '../../src-server/ask-health.ts'
import { systemClock } from '../../src-server/base/clock.ts'
import type { Options } from '../../src-server/options/options.ts'
import { resetPassword } from '../../src-server/reset-password.ts'
import { State } from '../../src-server/state/state.ts'
import { Accounts } from '../../src-server/users/accounts.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { certificates, read, start as readStart } from '../support/read-start.ts'
import { startApp } from '../support/start-app.ts'
import { temporaryFolder, userIn } from '../support/start-state.ts'

describe('--health', () => {
  async function asked(options: Options) {
    const said: string[] = []
    return { code: await askHealth(options, (line) => said.push(line)), said }
  }

  for (const [what, given] of Object.entries<(folder: string) => Partial<Options>>({
    'a port': () => ({}),
    'all interfaces, below a path': () => ({ address: '0.0.0.0', baseURL: '/files' }),
    'a socket': (folder) => ({ socket: join(folder, 'holdall.sock') }),
    'TLS, with a certificate for another name': (folder) => ({ tls: certificates(folder) }),
    'names of its own without passwords': () => ({ authMethod: 'noauth', hosts: [] }),
  }))
    test(`is well with ${what}, and is not when the server has ended`, async (t) => {
      const options = given(temporaryFolder(t))
      const app = await startApp(t, { options })
      const same = { ...read(app.root), ...options, port: app.port } as Options
      assert.deepEqual(await asked(same), { code: 0, said: [] })
      await app.close()
      const { code, said } = await asked(same)
      assert.equal(code, 1)
      assert.match(said.join(), /^The server is not well: (ECONNREFUSED|ENOENT)\.$/)
    })

  test('is not well when something else answers, or nothing', async (t) => {
    const app = await startApp(t)
    const { code, said } = await asked({ ...read(app.root), port: app.port, baseURL: '/elsewhere' } as Options)
    assert.deepEqual([code, said], [1, ['The server is not well: something else answers there.']])
    await assert.rejects(asked({ ...read(app.root), port: 0 } as Options), /--health needs the port/)
  })

  test('reads the options of the server', (t) => {
    const folder = temporaryFolder(t)
    const start = readStart(folder, ['--health', '--port', '81'], { HOLDALL_ADDRESS: '::' })
    assert.ok(start.kind === 'health')
    assert.deepEqual([start.options.port, start.options.address], [81, '::'])
  })
})

describe('--reset-password', () => {
  async function reset(t: TestContext, isTerminal: boolean) {
    const app = await startApp(t, { users: { ann: {}, bob: {} } })
    const [ann, bob] = [await app.as('ann'), await app.as('bob')]
    assert.ok(ann.token && bob.token)
    const database = join(app.folder, 'state.json')
    const said: string[] = []
    const run = (username: string) =>
      resetPassword({ options: { database }, username }, { say: (line) => said.push(line), isTerminal })
    return { app, database, said, run }
  }

  const opened = async (database: string) => {
    const state = await State.open({ file: database, clock: systemClock })
    return { state, accounts: new Accounts({ state, passwords: new Passwords(), clock: systemClock }) }
  }

  test('is refused in a sentence while a server runs, without a state, and for nobody', async (t) => {
    const { app, run, database } = await reset(t, true)
    await assert.rejects(run('ann'), /^StartupError: .*state\.json is in use by another process.*stop that one first/)
    const natives = process.env.PKG_NATIVE_CACHE_PATH ?? ''
    assert.match(natives, /holdall-native-/)
    assert.ok(!existsSync(natives), 'its temporary folder is removed')
    await app.parts.state.close()
    await assert.rejects(run('carl'), /^StartupError: There is no user "carl" in .*state\.json\.$/)
    const other = { options: { database: `${database}x` }, username: 'ann' }
    await assert.rejects(resetPassword(other, { say: () => {}, isTerminal: true }), /There is no state file/)
    assert.ok(!existsSync(`${database}x`))
  })

  test('gives a new password on a terminal, and ends the sessions of this person alone', async (t) => {
    const { app, database, said, run } = await reset(t, true)
    await app.parts.state.close()
    await run('ann')
    const [, password = ''] = /^The new password of ann is (\w{20}) \(it is shown only this once\)\.$/.exec(said.join()) ?? []
    const { state } = await opened(database)
    t.after(() => state.close())
    assert.ok(await new Passwords().verify(password, userIn(state, 'ann')?.password ?? ''))
    assert.deepEqual(
      state.data.sessions.map(({ userId }) => userId),
      [userIn(state, 'bob')?.id],
    )
    assert.ok(!readdirSync(app.folder).some((name) => name.includes('password')))
  })

  test('without a terminal the password is in a file, until it is changed', async (t) => {
    const { app, database, said, run } = await reset(t, false)
    await app.parts.state.close()
    await run('bob')
    const file = /^The new password of bob is in (.*) until it is changed\.$/.exec(said.join())?.[1] ?? ''
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const { state, accounts } = await opened(database)
    t.after(() => state.close())
    const bob = userIn(state, 'bob')
    assert.ok(bob && (await new Passwords().verify(readFileSync(file, 'utf8').trimEnd(), bob.password)))
    await accounts.changePassword(bob.id, 'another long password')
    assert.ok(!existsSync(file))
  })
})
