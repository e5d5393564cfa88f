// Commands of people in bubblewrap: what they reach, and what happens where it does not run.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { installPackage } from '../../scripts/apt.ts'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { systemClock } from '../../src-server/base/clock.ts'
import { cleanEnvironment } from '../../src-server/shell/clean-environment.ts'
import { findProgram } from '../../src-server/shell/find-program.ts'
import { findSandbox } from '../../src-server/shell/sandbox.ts'
import { openTerminalClient, runLine } from '../support/command-client.ts'
import { rawRequest } from '../support/raw-request.ts'
import { type AppSetup, startApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

const allowed = ['sh', 'bash', 'cat', 'ls', 'pwd']

async function start(t: TestContext, options: AppSetup['options'] = {}, services: AppSetup['services'] = {}) {
  const app = await startApp(t, {
    files: { 'ann/d/a.txt': 'a', 'bob/secret.txt': 'secret of bob' },
    users: { ann: { perm: usual, scope: '/ann' }, adam: { perm: allPermissions } },
    options: (folders) => ({ enableExec: true, ...(typeof options === 'function' ? options(folders) : options) }),
    services,
  })
  for (const name of ['ann', 'adam'])
    await changeUser(app.parts, userIn(app.parts.state, name)?.id ?? 0, (user) => {
      user.commands = allowed
    })
  const tokenOf = async (name: string) => (await app.as(name)).token
  return { app, tokenOf, token: await tokenOf('ann') }
}

describe('without bubblewrap', () => {
  /** A `PATH` with a few programs, and without bubblewrap. */
  async function withoutBubblewrap(t: TestContext) {
    const { PATH } = process.env
    const folder = await mkdtemp(join(tmpdir(), 'holdall-programs-'))
    for (const name of ['sh', 'cat', 'env', 'true'])
      symlinkSync((await findProgram(name, cleanEnvironment().PATH)) ?? '', join(folder, name))
    process.env.PATH = folder
    t.after(async () => {
      process.env.PATH = PATH
      await rm(folder, { recursive: true })
    })
  }

  const statusFor = async (port: number, token: string | undefined) => {
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhl' }
    return (await rawRequest({ port, method: 'GET', address: `/api/command/?auth=${token}`, headers: upgrade })).status
  }

  test('people who are no administrators may not run commands', async (t) => {
    await withoutBubblewrap(t)
    const { app, token, tokenOf } = await start(t)
    assert.equal(await statusFor(app.port, token), 403)
    assert.deepEqual(await runLine(app, await tokenOf('adam'), 'cat ann/d/a.txt'), ['a'])
  })

  test('all may with --exec-unconfined', async (t) => {
    await withoutBubblewrap(t)
    const { app, token } = await start(t, { execUnconfined: true })
    assert.deepEqual(await runLine(app, token, 'cat d/a.txt'), ['a'])
  })

  test('the log says why, and what to do', async (t) => {
    await withoutBubblewrap(t)
    const server = { stateFile: '/x/state.json', files: [], folders: [] }
    const { isForAll, sentence } = await findSandbox({ server, hasNetwork: true }, systemClock)
    assert.equal(isForAll, false)
    assert.match(sentence, /bwrap was not found.*only administrators.*Install bubblewrap.*--exec-unconfined/)
  })
})

describe('in bubblewrap', () => {
  before(async () => {
    const isThere = async () => (await findProgram('bwrap', cleanEnvironment().PATH)) !== undefined
    assert.ok((await isThere()) || installPackage('bubblewrap'), 'bubblewrap is needed: apt-get install bubblewrap')
  })

  test('a command changes the files of its person, and reaches neither the state nor other people', async (t) => {
    const { app, token } = await start(t)
    assert.deepEqual(await runLine(app, token, 'pwd', '/d'), [join(app.root, 'ann/d')])
    assert.deepEqual(await runLine(app, token, `sh -c 'cat a.txt; echo new > b.txt; cat b.txt'`, '/d'), ['anew'])
    assert.equal(await readFile(join(app.root, 'ann/d/b.txt'), 'utf8'), 'new\n')
    for (const path of [join(app.folder, 'state.json'), join(app.root, 'bob/secret.txt'), join(app.root, '../cache')])
      assert.match((await runLine(app, token, `ls ${path}`)).join(), /No such file or directory/, path)
    assert.match((await runLine(app, token, `sh -c 'echo x > /etc/x'`)).join(), /Read-only file system/)
    const others = await runLine(app, token, `sh -c 'cat /proc/*/cmdline | tr "\\0" " "'`)
    assert.doesNotMatch(others.join(), /node/)
  })

  test('paths of the server in folders of the system are hidden', async (t) => {
    const folder = await mkdtemp('/usr/local/share/holdall-test-').catch(() => undefined)
    // Only root may write there.
    if (folder === undefined) return
    t.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'config.json'), '{}')
    await writeFile(join(folder, 'key.pem'), 'secret key')
    const { app, token } = await start(t, { configFile: join(folder, 'config.json') })
    assert.deepEqual(await runLine(app, token, `ls ${folder}`), [])
    assert.match((await runLine(app, token, `cat ${folder}/key.pem`)).join(), /No such file/)
  })

  test('a server that is root hides what belongs to root', async (t) => {
    // Other users of the system cannot read it anyway.
    if (process.getuid?.() !== 0) return
    const { app, token } = await start(t)
    for (const path of ['/etc/shadow', '/etc/gshadow', '/etc/ssl/private', '/etc/ssh'])
      assert.match((await runLine(app, token, `ls ${path}`)).join(), /No such file or directory/, path)
    assert.match((await runLine(app, token, 'cat /etc/passwd')).join(), /^root:/)
    const { sentence } = await findSandbox(
      { server: { stateFile: '/x/s', files: [], folders: [] }, hasNetwork: true },
      systemClock,
    )
    assert.match(sentence, /They run as root/)
  })

  test('no command reaches the server as the proxy that signs people in', async (t) => {
    const asProxy = (port: number) => `bash -c ': < /dev/tcp/127.0.0.1/${port} && echo connected'`
    const trusted = { authMethod: 'proxy', authHeader: 'x-user', trustedProxies: ['127.0.0.1'] } as const
    const behind = await startApp(t, {
      users: { ann: { perm: usual } },
      options: { enableExec: true, ...trusted },
    })
    await changeUser(behind.parts, userIn(behind.parts.state, 'ann')?.id ?? 0, (user) => {
      user.commands = allowed
    })
    const { token } = await behind.as('ann')
    assert.match((await runLine(behind, token, asProxy(behind.port))).join(), /refused|unreachable/)
    const { app, token: other } = await start(t)
    assert.deepEqual(await runLine(app, other, asProxy(app.port)), ['connected'])
  })

  test('no command runs where the files hold the state, the cache or the socket', async (t) => {
    for (const [options, name] of [
      [({ root }: { root: string }) => ({ database: join(root, 'ann/state.json') }), 'state.json'],
      [({ root }: { root: string }) => ({ cacheDir: join(root, 'ann/cache') }), 'cache'],
    ] as const) {
      const { app, token } = await start(t, (folders) => {
        mkdirSync(join(folders.root, 'ann'), { recursive: true })
        return options(folders)
      })
      assert.deepEqual(await runLine(app, token, 'pwd'), [`commands do not run here: your files hold ${name} of the server.`])
    }
  })

  test('a link that leads out of the files leads nowhere', async (t) => {
    const { app, token } = await start(t)
    symlinkSync(join(app.root, 'bob/secret.txt'), join(app.root, 'ann/link'))
    assert.match((await runLine(app, token, 'cat link')).join(), /No such file or directory/)
  })

  test('a terminal has its size and its keys, Ctrl+C reaches the program alone, and its code is told', async (t) => {
    const { app, token } = await start(t)
    const script = `trap "echo interrupted" INT; stty size; read line; stty size; read line; read line; exit 7`
    const client = await openTerminalClient(app, token, `sh -c '${script}'`)
    await client.shows('24 80')
    client.resize(132, 43)
    client.type('\r')
    await client.shows('43 132')
    client.type('\x03')
    await client.shows('interrupted')
    client.type('\r')
    client.type('\r')
    await client.closed
    assert.deepEqual(client.messages().at(-1), { kind: 'ended', code: 7 })
  })

  test('a program is told to hang up, and ends with what it began', async (t) => {
    const { app, token } = await start(t)
    const seconds = `${1000 + process.pid}.25`
    const script = `trap "echo hung up > said; exit" HUP; sleep ${seconds} & echo begun; wait`
    const client = await openTerminalClient(app, token, `sh -c '${script}'`)
    await client.shows('begun')
    await until(() => isRunningWith(seconds), 'what it began runs')
    client.close()
    await until(() => !isRunningWith(seconds), 'its processes have ended')
    const said = () => readFile(join(app.root, 'ann/said'), 'utf8').catch(() => '')
    await until(async () => (await said()) === 'hung up\n', 'it has ended by itself')
  })
})

/** Whether a process has this argument. */
function isRunningWith(argument: string): boolean {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument)
    } catch {
      return false
    }
  })
}
