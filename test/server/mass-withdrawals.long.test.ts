// Many sessions end one after another, each with something that runs: how long it goes on is printed.
import assert from 'node:assert/strict'
import { truncate, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { systemClock } from '../../src-server/base/clock.ts'
import { openTerminalClient } from '../support/command-client.ts'
import { isRunning } from '../support/is-running.ts'
import { openLive } from '../support/live-client.ts'
import { openDownload } from '../support/open-download.ts'
import { byScale } from '../support/scale.ts'
import { startApp } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

/** Each ends one session. */
const count = byScale({ usual: 200, long: 1000 })
const ofOneUser = 50
const mebibyte = 2 ** 20

/** Something that runs with a session. `over` resolves with the time at which it has ended. */
type Work = Readonly<{ kind: string; session: string; over: Promise<number>; pid?: number }>

test('what runs ends as soon as its session does, for downloads, sockets and terminals', { timeout: 300_000 }, async (t) => {
  const names = Array.from({ length: Math.ceil(count / ofOneUser) }, (_, index) => `person ${index}`)
  const app = await startApp(t, {
    files: { 'd/': '' },
    users: Object.fromEntries(names.map((name) => [name, { perm: allPermissions }])),
    options: { enableExec: true, execUnconfined: true },
    services: { clock: systemClock },
  })
  const { accounts, sessions, signIn, state } = app.parts
  await writeFile(join(app.root, 'large.bin'), '')
  // More than the system buffers for a client that does not read.
  await truncate(join(app.root, 'large.bin'), 64 * mebibyte)
  let newest: Socket | undefined
  app.parts.app.server.on('connection', (socket: Socket) => {
    newest = socket
  })
  const closedAt = (socket: Socket | undefined) =>
    new Promise<number>((resolve) => socket?.once('close', () => resolve(performance.now())))

  const begin = {
    download: async (token: string) => {
      const download = await openDownload({ port: app.port, address: '/api/raw/large.bin', headers: { 'X-Auth': token } })
      const over = closedAt(newest)
      over.then(() => download.close())
      return { over }
    },
    socket: async (token: string) => {
      const { closed } = await openLive(app, token)
      return { over: closed.then(() => performance.now()) }
    },
    terminal: async (token: string) => {
      const terminal = await openTerminalClient(app, token, `sh -c 'echo pid $$; exec sleep 1000'`, '/')
      await until(() => /pid \d+/.test(terminal.output()), 'the program runs')
      const pid = Number(/pid (\d+)/.exec(terminal.output())?.[1])
      return { over: terminal.closed.then(() => performance.now()), pid }
    },
  }

  const works: Work[] = []
  for (const [index, name] of names.entries()) {
    await changeUser({ accounts, state }, userIn(state, name)?.id ?? 0, (user) => {
      user.commands = ['sh']
    })
    for (let number = 0; number < Math.min(ofOneUser, count - index * ofOneUser); number++) {
      const kind = number === 0 ? 'terminal' : number % 2 === 0 ? 'socket' : 'download'
      const { token } = await signIn.loginByProxy(name)
      const session = state.data.sessions.at(-1)?.id ?? ''
      works.push({ kind, session, ...(await begin[kind](token)) })
    }
  }
  assert.equal(works.length, count)

  const took = new Map<string, number[]>()
  for (const { kind, session, over } of works) {
    await sessions.end(session)
    const since = performance.now()
    const milliseconds = Math.max(0, (await over) - since)
    took.set(kind, [...(took.get(kind) ?? []), milliseconds])
  }
  for (const [kind, times] of took) {
    const sorted = times.toSorted((one, other) => one - other)
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0
    t.diagnostic(`${times.length} × ${kind}: slowest end ${sorted.at(-1)?.toFixed(1)} ms, median ${median.toFixed(1)} ms`)
  }
  await until(() => !works.some(({ pid }) => pid !== undefined && isRunning(pid)), 'no program of a terminal is left')
})
