import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CommandHandlers, TerminalRequest } from '../../src-ui/api/command-socket.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { user } from '../../src-ui/core/session.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { Console, mostLines } from '../../src-ui/shell/console.ts'
import type { TerminalScreen } from '../../src-ui/shell/running-command.ts'

/** A terminal that keeps what it gets. With `isSlow` it reads only when `read` is called. */
class FakeScreen implements TerminalScreen {
  shown = ''
  isDisposed = false
  type: (text: string) => void = () => {}
  readonly #unread: (() => void)[] = []
  readonly #isSlow: boolean
  constructor(isSlow: boolean) {
    this.#isSlow = isSlow
  }
  open = () => ({ columns: 80, rows: 24 })
  fit = this.open
  focus() {}
  recolour() {}
  write(text: string, written: () => void) {
    const read = () => {
      this.shown += text
      written()
    }
    if (this.#isSlow) this.#unread.push(read)
    else read()
  }
  read = () => this.#unread.shift()?.()
  onInput(listener: (text: string) => void) {
    this.type = listener
  }
  clear() {
    this.shown = ''
  }
  text = () => this.shown
  tail = () => this.shown
  isFull = () => false
  dispose() {
    this.isDisposed = true
  }
}

function start(t: TestContext, { isSlow = false } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const workspace = new Workspace(user)
  t.after(() => workspace.dispose())
  const sockets: { folder: string; handlers: CommandHandlers; sent: TerminalRequest[]; isClosed: boolean }[] = []
  const screens: FakeScreen[] = []
  let closed = 0
  const console = new Console({
    workspace,
    connect: (folder, handlers) => {
      const socket = { folder, handlers, sent: [] as TerminalRequest[], isClosed: false }
      sockets.push(socket)
      return {
        send: (request) => void socket.sent.push(request),
        close: () => {
          socket.isClosed = true
        },
      }
    },
    makeScreen: () => {
      const screen = new FakeScreen(isSlow)
      screens.push(screen)
      return screen
    },
    close: () => {
      closed += 1
    },
  })
  /** Runs a line until its socket is open. */
  const run = (line: string, folder = '/') => {
    console.run(line, folder)
    console.running.value?.start({ columns: 100, rows: 30 })
    const socket = sockets.at(-1)
    const screen = screens.at(-1)
    assert.ok(socket && screen)
    socket.handlers.onOpen()
    return { socket, screen, tell: socket.handlers.onMessage }
  }
  return { workspace, console, sockets, screens, run, closed: () => closed }
}

test('a command is sent with its size when the socket is open, and its output stays as text', (t) => {
  const { console, run } = start(t)
  const { socket, screen, tell } = run('  ls -l ', '/Letters')
  assert.equal(socket.folder, '/Letters')
  assert.deepEqual(socket.sent, [{ kind: 'run', line: 'ls -l', columns: 100, rows: 30 }])
  tell({ kind: 'output', text: 'a\nb' })
  assert.equal(console.finished.value.length, 0)
  tell({ kind: 'ended', code: 0 })
  assert.equal(console.running.value, undefined)
  assert.deepEqual(console.finished.value, [{ id: 1, line: 'ls -l', text: 'a\nb', ending: { kind: 'ended', code: 0 } }])
  assert.equal(socket.isClosed && screen.isDisposed, true)
})

test('a refusal, a lost connection, rights that were withdrawn and one that was never there are told apart', (t) => {
  const { console, run, sockets } = start(t)
  run('a').tell({ kind: 'refused', reason: 'Command not allowed.' })
  run('b').socket.handlers.onClose(false)
  run('e').socket.handlers.onClose(true)
  console.run('c', '/')
  console.running.value?.start({ columns: 80, rows: 24 })
  sockets.at(-1)?.handlers.onClose(false)
  run('d')
  console.stop()
  assert.deepEqual(
    console.finished.value.map(({ ending }) => ending.kind),
    ['refused', 'lost', 'revoked', 'failed', 'stopped'],
  )
})

test('one command at a time, and empty lines, clear and exit are not sent', (t) => {
  const { console, run, sockets, closed } = start(t)
  run('cat').tell({ kind: 'output', text: 'x' })
  console.run('ls', '/')
  assert.equal(sockets.length, 1)
  console.stop()
  for (const line of ['', '  ', ' clear ', 'exit']) console.run(line, '/')
  assert.equal(sockets.length, 1)
  assert.deepEqual([console.finished.value, closed()], [[], 1])
})

test('keys go to the program, those before the socket is open too, in pieces that the server takes', (t) => {
  const { console, sockets } = start(t)
  console.run('cat', '/')
  const { running } = console
  const screen = running.value?.screen as FakeScreen
  running.value?.start({ columns: 80, rows: 24 })
  const [socket] = sockets
  assert.ok(socket)
  screen.type('\u0003')
  assert.deepEqual(socket.sent, [])
  socket.handlers.onOpen()
  const typed = () => socket.sent.flatMap((request) => (request.kind === 'input' ? [request.text] : []))
  assert.deepEqual(typed(), ['\u0003'])
  const pasted = '\u001b😀'.repeat(10_000)
  screen.type(pasted)
  for (let at = 0; at < 20; at += 1) t.mock.timers.tick(20)
  assert.equal(typed().slice(1).join(''), pasted)
  assert.ok(socket.sent.every((request) => Buffer.byteLength(JSON.stringify(request)) < 65_536))
  assert.ok(typed().every((text) => text.isWellFormed()))
})

test('no more than 200 messages a second are sent', (t) => {
  const { run } = start(t)
  const { socket, screen } = run('cat')
  for (let at = 0; at < 1000; at += 1) {
    screen.type('x')
    t.mock.timers.tick(1)
  }
  assert.ok(socket.sent.length < 60, `${socket.sent.length}`)
})

test('of output that comes faster than it can be shown at most 1 MiB waits, and that it was cut is said', (t) => {
  const { console, run } = start(t, { isSlow: true })
  const { screen, tell } = run('yes')
  for (let at = 0; at < 100; at += 1) tell({ kind: 'output', text: `${at}${'x'.repeat(60_000)}\n` })
  tell({ kind: 'output', text: 'the end' })
  tell({ kind: 'ended', code: 0 })
  for (let at = 0; at < 200; at += 1) screen.read()
  const [{ text } = { text: '' }] = console.finished.value
  assert.ok(text.length < 1_300_000, `${text.length}`)
  assert.match(text, /the end$/)
  assert.equal(console.isCut.value, true)
})

test('only the last 5,000 lines of all commands are kept', (t) => {
  const { console, run } = start(t)
  for (let at = 0; at < 3; at += 1) {
    const { tell } = run(`seq ${at}`)
    tell({ kind: 'output', text: Array.from({ length: 2400 }, (_none, line) => `${at}.${line}`).join('\n') })
    tell({ kind: 'ended', code: 0 })
  }
  const kept = console.finished.value
  assert.deepEqual(
    kept.map(({ text }) => text.split('\n').length),
    [197, 2400, 2400],
  )
  assert.equal(kept[0]?.text.split('\n').at(-1), '0.2399')
  assert.ok(kept.reduce((sum, { text }) => sum + text.split('\n').length + 1, 0) <= mostLines)
  assert.equal(console.isCut.value, true)
})

test('screen readers are told the end of the output only', (t) => {
  const { workspace, run } = start(t)
  const { tell } = run('seq')
  tell({ kind: 'output', text: Array.from({ length: 3000 }, (_none, line) => `line ${line}`).join('\n') })
  t.mock.timers.tick(1000)
  const { announcement } = workspace.use(noticesSlice)
  assert.match(announcement.value, /^line 2990\n[\s\S]*line 2999$/)
  tell({ kind: 'ended', code: 3 })
  assert.match(announcement.value, /line 2999\nEnded with code .3.$/)
})

test('the program ends with the workspace', (t) => {
  const { workspace, run } = start(t)
  const { socket } = run('cat')
  workspace.dispose()
  assert.equal(socket.isClosed, true)
})
