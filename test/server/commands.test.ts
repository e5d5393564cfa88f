// Commands that people run: real processes, in a terminal and line by line.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import type { ActivityEntry } from '../../src-server/activity/activity-line.ts'
import { systemClock } from '../../src-server/base/clock.ts'
import type { UserDraft } from '../../src-server/state/state-data.ts'
import { openCommand, openTerminalClient, runLine } from '../support/command-client.ts'
import { isRunning } from '../support/is-running.ts'
import { rawRequest } from '../support/raw-request.ts'
import { type AppSetup, deny, only, startApp, type TestApp, usual } from '../support/start-app.ts'
import { changeUser, temporaryFolder, userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

const allowed = ['echo', 'cat', 'sh', 'printf', 'ls', 'env', 'pwd', 'sleep', 'nosuchprogram', 'seq', 'stty']

async function start(t: TestContext, { options, ...setup }: AppSetup = {}) {
  const app = await startApp(t, {
    files: { 'd/a.txt': 'a', 'd/b.txt': 'b' },
    users: { ann: { perm: usual }, bob: { perm: { ...usual, execute: false } }, adam: { perm: allPermissions } },
    options: { enableExec: true, execUnconfined: true, ...options },
    ...setup,
  })
  await change(app, 'ann', (user) => {
    user.commands = allowed
  })
  return { app, token: (await app.as('ann')).token }
}

const change = ({ parts }: TestApp, name: string, edit: (user: UserDraft) => void) =>
  changeUser(parts, userIn(parts.state, name)?.id ?? 0, edit)

const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

describe('line by line, as older clients expect', () => {
  test('one line is run in the folder, and its output comes line by line', async (t) => {
    const { app, token } = await start(t)
    assert.deepEqual(await runLine(app, token, 'ls', '/d'), ['a.txt', 'b.txt'])
    assert.deepEqual(await runLine(app, token, 'pwd', '/d'), [join(app.root, 'd')])
    assert.deepEqual(await runLine(app, token, `printf '1\\n2'`), ['1', '2'])
    assert.deepEqual(await runLine(app, token, `sh -c 'echo wrong >&2; exit 3'`), ['wrong'])
  })

  test('blank messages are skipped, and later ones are not read', async (t) => {
    const { app, token } = await start(t)
    const client = await openCommand(app, token)
    for (const text of ['', '  ', 'echo one', 'echo two']) client.send(text)
    await client.closed
    assert.deepEqual(client.texts, ['one'])
  })

  for (const [what, line, answer] of [
    ['a command that is not allowed', 'touch x', 'Command not allowed.'],
    ['a name that begins with an allowed one', 'echox', 'Command not allowed.'],
    ['a path to an allowed name', '/bin/echo x', 'Command not allowed.'],
    ['a quote that is not closed', `echo 'x`, 'error parsing command: EOF found when expecting closing quote.'],
    ['an allowed program that is not there', 'nosuchprogram x', 'exec: "nosuchprogram": executable file not found in $PATH'],
  ] as const) {
    test(`${what} is answered ${answer}`, async (t) => {
      const { app, token } = await start(t)
      assert.deepEqual(await runLine(app, token, line), [answer])
    })
  }

  test('administrators need an allowed name too', async (t) => {
    const { app } = await start(t)
    assert.deepEqual(await runLine(app, (await app.as('adam')).token, 'echo x'), ['Command not allowed.'])
  })

  test('a folder that is missing, blocked or a file closes the socket without a word', async (t) => {
    const { app, token } = await start(t, { rules: [deny('/hidden')], files: { 'hidden/a': '', 'f.txt': '' } })
    for (const path of ['/missing', '/hidden', '/f.txt']) assert.deepEqual(await runLine(app, token, 'ls', path), [], path)
  })
})

describe('nothing but what was asked for runs', () => {
  const lines: Record<string, string[]> = {
    'echo $(touch x1)': ['$(touch x1)'],
    'echo `touch x2`': ['`touch x2`'],
    'echo a; touch x3': ['a; touch x3'],
    'echo a && touch x4': ['a && touch x4'],
    'echo a | touch x5': ['a | touch x5'],
    'echo a > x6': ['a > x6'],
    'echo $HOME ~ *': ['$HOME ~ *'],
    'echo a\ntouch x7': ['a touch x7'],
    "echo '; touch x8'": ['; touch x8'],
    'echo -- --help': ['-- --help'],
  }
  for (const [line, output] of Object.entries(lines)) {
    test(JSON.stringify(line), async (t) => {
      const { app, token } = await start(t)
      await app.parts.state.change('other', (draft) => {
        draft.settings = { ...draft.settings, shell: ['sh', '-c'] }
      })
      assert.deepEqual(await runLine(app, token, line, '/d'), output)
      assert.deepEqual(readdirSync(join(app.root, 'd')), ['a.txt', 'b.txt'])
    })
  }

  test('a command gets PATH, HOME and LANG, and no other variable of the server', async (t) => {
    process.env.HOLDALL_TEST_SECRET = 'secret'
    t.after(() => {
      delete process.env.HOLDALL_TEST_SECRET
    })
    const { app, token } = await start(t)
    const names = (await runLine(app, token, 'env')).map((line) => line.split('=')[0]).sort()
    assert.deepEqual(names, ['HOME', 'LANG', 'PATH'])
  })
})

describe('who may run commands', () => {
  test('nobody, unless the server was started with --enable-exec', async (t) => {
    const { app, token } = await start(t, { options: { enableExec: false } })
    const answer = await rawRequest({ port: app.port, method: 'GET', address: `/api/command/?auth=${token}`, headers: upgrade })
    assert.equal(answer.status, 403)
  })

  test('only with the permission, a session, and from a page of this server', async (t) => {
    const { app, token } = await start(t)
    const ask = async (asked: string | undefined, headers = {}) =>
      (
        await rawRequest({
          port: app.port,
          method: 'GET',
          address: `/api/command/?auth=${asked}`,
          headers: { ...upgrade, ...headers },
        })
      ).status
    assert.equal(await ask((await app.as('bob')).token), 403)
    assert.equal(await ask('a.b.c'), 401)
    assert.equal(await ask(token, { Origin: 'http://elsewhere.example' }), 403)
  })

  test('a person has four at a time, and an ended one makes room', async (t) => {
    const { app, token } = await start(t)
    const open = await Promise.all(Array.from({ length: 4 }, () => openCommand(app, token)))
    await assert.rejects(openCommand(app, token))
    open[0]?.close()
    await until(
      () =>
        openCommand(app, token).then(
          () => true,
          () => false,
        ),
      'there is room',
    )
  })
})

describe('in a terminal', () => {
  test('output is streamed, keys go to the program, and its end is told', async (t) => {
    const { app, token } = await start(t)
    const client = await openTerminalClient(app, token, `sh -c 'tty; read line; echo "heard $line"; exit 3'`)
    await client.shows('/dev/pts/')
    client.type('a word\r')
    await client.closed
    assert.match(client.output(), /heard a word/)
    assert.deepEqual(client.messages().at(-1), { kind: 'ended', code: 3 })
  })

  test('the size of the terminal is that of the page, also after it has changed', async (t) => {
    const { app, token } = await start(t)
    const client = await openTerminalClient(app, token, `sh -c 'stty size; read line; stty size'`)
    await client.shows('24 80')
    client.resize(132, 43)
    client.type('\r')
    await client.closed
    assert.match(client.output(), /43 132/)
  })

  test('the activity log has its start and its end', async (t) => {
    const auditLog = join(temporaryFolder(t), 'activity.log')
    const { app, token } = await start(t, { options: { auditLog } })
    for (const line of ['echo a', `sh -c 'exit 3'`]) await (await openTerminalClient(app, token, line, '/d')).closed
    const written = () => (existsSync(auditLog) ? readFileSync(auditLog, 'utf8').trim().split('\n') : [])
    const entries = () => written().map((line) => JSON.parse(line) as ActivityEntry)
    const told = () => entries().filter(({ what }) => what.startsWith('command'))
    const stopped = await openTerminalClient(app, token, `sh -c 'echo ready; read line'`, '/d')
    await stopped.shows('ready')
    stopped.type('\x03')
    await stopped.closed
    const left = await openTerminalClient(app, token, `sh -c 'echo ready; read line'`, '/d')
    await left.shows('ready')
    left.close()
    await until(() => told().length === 8, 'all lines are written')
    assert.deepEqual(
      told().map(({ what, who, path, line, result, reason }) => [what, who, path, line, result, reason].join(' ').trim()),
      [
        'command ann /d echo a done',
        'commandEnd ann /d echo a done',
        `command ann /d sh -c 'exit 3' done`,
        `commandEnd ann /d sh -c 'exit 3' failed exit code 3`,
        ...[`command ann /d sh -c 'echo ready; read line' done`, `commandEnd ann /d sh -c 'echo ready; read line' done`],
        ...[`command ann /d sh -c 'echo ready; read line' done`, `commandEnd ann /d sh -c 'echo ready; read line' done`],
      ],
    )
    const table = await (await app.as('adam')).ask('GET', '/api/activity?format=csv&what=command')
    assert.match(await table.text(), /^time,[^\r]*,line,trash,sender\r\n[\s\S]*"sh -c 'exit 3'",,\r\n[^\r]*,echo a,,\r\n$/)
  })

  test('a refusal is told with its reason', async (t) => {
    const { app, token } = await start(t)
    const client = await openTerminalClient(app, token, 'touch x')
    await client.closed
    assert.deepEqual(client.messages(), [{ kind: 'refused', reason: 'Command not allowed.' }])
  })

  test('all of a long output arrives, in order', async (t) => {
    const { app, token } = await start(t)
    const client = await openTerminalClient(app, token, 'seq 200000')
    await client.closed
    const wanted = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\r\n`).join('')
    assert.ok(client.output() === wanted, `${client.output().length} of ${wanted.length} characters`)
  })
})

describe('a running command ends with its process group', () => {
  /** Says its process id and that of a child, and ignores that it is told to hang up when it is asked to. */
  const line = (trap: string) => `sh -c '${trap} sleep 1000 & echo "pids $$ $!"; wait; wait; wait'`
  const pidsOf = (text: string) => (/pids (\d+) (\d+)/.exec(text)?.slice(1) ?? []).map(Number)

  async function running(app: TestApp, token: string | undefined, trap = '') {
    const client = await openTerminalClient(app, token, line(trap))
    await until(() => pidsOf(client.output()).length === 2, 'it runs')
    return { client, pids: pidsOf(client.output()) }
  }
  const ends = (pids: number[]) => until(() => !pids.some(isRunning), 'its processes have ended')

  test('when the person leaves', async (t) => {
    const { app, token } = await start(t)
    const { client, pids } = await running(app, token)
    client.close()
    await ends(pids)
  })

  test('line by line too', async (t) => {
    const { app, token } = await start(t)
    const client = await openCommand(app, token)
    client.send(line(''))
    await until(() => pidsOf(client.texts.join('')).length === 2, 'it runs')
    client.close()
    await ends(pidsOf(client.texts.join('')))
  })

  test('by force after five seconds, when it ignores SIGHUP', async (t) => {
    const { app, token } = await start(t)
    const { client, pids } = await running(app, token, 'trap "" HUP;')
    client.close()
    await client.closed
    await until(() => {
      app.clock.advance({ seconds: 5 })
      return !pids.some(isRunning)
    }, 'its processes have ended')
  })

  for (const [what, withdraw] of Object.entries<(app: TestApp, signOut: () => Promise<unknown>) => Promise<unknown>>({
    'the session ends': (_app, signOut) => signOut(),
    'the permission is withdrawn': (app) =>
      change(app, 'ann', (user) => {
        user.perm = only('download')
      }),
    'the command is withdrawn': (app) =>
      change(app, 'ann', (user) => {
        user.commands = ['echo']
      }),
    'the person is deleted': (app) => app.parts.accounts.remove(userIn(app.parts.state, 'ann')?.id ?? 0),
  })) {
    test(`within a second, when ${what}`, async (t) => {
      const { app } = await start(t, { services: { clock: systemClock } })
      const ann = await app.as('ann')
      const { client, pids } = await running(app, ann.token)
      await withdraw(app, () => ann.ask('POST', '/api/logout'))
      await ends(pids)
      await client.closed
    })
  }
})

test('each command stands among the events, with its line and folder', async (t) => {
  const { app, token } = await start(t)
  const seen: unknown[] = []
  app.parts.events.done((event) => {
    if (event.kind === 'command') seen.push([event.by.name, event.line, event.folder])
  })
  await runLine(app, token, 'echo x', '/d')
  await runLine(app, token, 'touch x', '/d')
  assert.deepEqual(seen, [['ann', 'echo x', '/d']])
})
