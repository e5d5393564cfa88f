// How a command reaches the state: by the socket of a running server, or with the lock.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { askHidden } from '../../src-server/cli/ask-hidden.ts'
import { listenForCommands } from '../../src-server/control/control-socket.ts'
import { readOptions } from '../../src-server/options/read-options.ts'
import { subcommandRows } from '../../src-server/options/subcommands.ts'
import { runCli, testCommand } from '../support/run-cli.ts'
import { startPeople, temporaryFolder } from '../support/start-state.ts'

const echo = async (line: string) => line.toUpperCase()

async function listening(t: TestContext, folder = temporaryFolder(t)) {
  const stateFile = join(folder, 'state.json')
  writeFileSync(stateFile, '', { flag: 'a' })
  const close = await listenForCommands({ stateFile, answer: echo })
  return { folder, stateFile, socket: `${stateFile}.control/socket`, close }
}

const modeOf = (path: string) => statSync(path).mode & 0o777

test('the socket is this user’s alone, in a folder of this user alone, and goes with the server', async (t) => {
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const { stateFile, socket, close } = await listening(t)
  assert.equal(process.umask(), 0)
  assert.deepEqual([modeOf(socket), modeOf(`${stateFile}.control`)], [0o600, 0o700])
  await close()
  assert.throws(() => statSync(socket), /ENOENT/)
})

test('a folder that others could enter is closed to them, and a link or somebody else’s folder is not used', async (t) => {
  const folder = temporaryFolder(t)
  const control = join(folder, 'state.json.control')
  mkdirSync(control, { mode: 0o777 })
  chmodSync(control, 0o777)
  const { close } = await listening(t, folder)
  await close()
  assert.equal(modeOf(control), 0o700)
  renameSync(control, join(folder, 'elsewhere'))
  symlinkSync('elsewhere', control)
  await assert.rejects(listening(t, folder), /ENOTDIR|ELOOP/)
})

test('the socket of a server that was killed is replaced', async (t) => {
  const { folder, socket, close } = await listening(t)
  await close()
  // Nobody listens on it any more.
  const dead = createServer()
  await new Promise<void>((resolve) => dead.listen(`${socket}2`, resolve))
  renameSync(`${socket}2`, socket)
  await new Promise((resolve) => dead.close(resolve))
  const again = await listening(t, folder)
  await again.close()
})

test('a call that runs is still answered when the server ends, and no further one is read', async (t) => {
  const folder = temporaryFolder(t)
  const stateFile = join(folder, 'state.json')
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const answer = async (line: string) => {
    begun.resolve()
    await finish.promise
    return `answer to ${line}`
  }
  const close = await listenForCommands({ stateFile, answer })
  const socket = connect(`${stateFile}.control/socket`)
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.write('one\ntwo\n')
  await begun.promise
  const closed = close()
  finish.resolve()
  await Promise.all([closed, ended])
  assert.equal(text, 'answer to one\n')
})

testCommand('a state with a path of any length is reached, also by a link to it', {}, async ({ app, isRunning }) => {
  if (isRunning) {
    const long = join(app.folder, 'x'.repeat(120))
    mkdirSync(long)
    symlinkSync(join(app.folder, 'state.json'), join(long, 'link.json'))
    const server = ['--database', join(long, 'link.json')]
    assert.match((await runCli(app.folder, ['users', 'list'], { server })).out, /^ID/)
    rmSync(long, { recursive: true })
  }
  const close = await listenForCommands({ stateFile: join(deepBelow(app.folder), 'state.json'), answer: echo })
  await close()
  rmSync(join(app.folder, 'd'), { recursive: true })
})

function deepBelow(folder: string): string {
  const deep = join(folder, 'd', 'y'.repeat(100), 'z'.repeat(100))
  mkdirSync(deep, { recursive: true })
  return deep
}

test('a state that is held by a server which does not listen is named, and none is made where there is none', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'files'))
  await assert.rejects(runCli(folder, ['users', 'list']), /StartupError: There is no state file .*start the server once/)
  const { state } = await startPeople(t, { file: join(folder, 'state.json') })
  await assert.rejects(runCli(folder, ['users', 'list']), /StateHeld|StartupError: .* is in use by another process \(pid/)
  await state.close()
  assert.equal((await runCli(folder, ['users', 'list'])).code, 0)
})

test('a server of another version answers no call', async (t) => {
  const { stateFile, folder, close } = await listening(t)
  await close()
  mkdirSync(join(folder, 'files'))
  const { answerLine } = await import('../../src-server/control/calls.ts')
  const services = {} as Parameters<typeof answerLine>[1]['services']
  const answer = (line: string) =>
    answerLine(line.replace(/"version":"[^"]*"/, '"version":"0.0.1"'), { services, report: () => {} })
  const end = await listenForCommands({ stateFile, answer })
  t.after(end)
  const { code, err } = await runCli(folder, ['users', 'list'])
  assert.equal(code, 1)
  assert.match(err, /the server that runs is of version .*, and this is 0\.0\.1: restart it\.\n/)
})

testCommand('what the command line changes is told as done by it', {}, async ({ app, cliWith, isRunning }) => {
  const log = join(app.folder, 'activity.log')
  const server = ['--database', join(app.folder, 'state.json'), '--root', app.root, '--audit-log', log]
  const seen: unknown[] = []
  app.parts.events.done(({ by, way, address }) => void seen.push({ by, way, address }))
  const typed = { input: 'a long and easy password', server }
  assert.equal((await cliWith(typed, 'users', 'add', 'carl', '--password-file', '-')).code, 0)
  if (isRunning) return assert.deepEqual(seen, [{ by: { name: 'cli' }, way: 'cli', address: '' }])
  const { time: _, ...line } = JSON.parse(readFileSync(log, 'utf8'))
  assert.deepEqual(line, { who: 'cli', what: 'user', act: 'create', user: 'carl', from: '', way: 'cli', result: 'done' })
})

testCommand('a home folder is made where the server serves, which must be named', {}, async ({ app, cliWith, isRunning }) => {
  await app.parts.state.close().catch(() => {})
  if (isRunning) return
  const file = join(app.folder, 'state.json')
  const state = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...state, settings: { ...state.settings, createUserDir: true } }))
  const add = (server?: readonly string[]) =>
    cliWith({ input: 'a long and easy password', ...(server && { server }) }, 'users', 'add', 'carl', '--password-file', '-')
  const unnamed = await add(['--database', file])
  assert.deepEqual([unnamed.code, unnamed.err], [1, 'this needs the served folder: name it with --root.\n'])
  assert.equal((await add()).code, 0)
  assert.ok(statSync(join(app.root, 'users/carl')).isDirectory())
})

const read = (...argv: string[]) =>
  readOptions({ argv, env: {}, cwd: '/', location: { executable: '/holdall' }, version: '1.0.0' })

test('each command has a help, and what is none is named with the nearest', () => {
  const list = read('help')
  assert.ok(list.kind === 'print')
  for (const { name, reads } of subcommandRows) {
    assert.ok(list.text.includes(`  ${name}`), name)
    const one = read('help', ...name.split(' '))
    assert.ok(one.kind === 'print' && one.text.includes(`holdall ${name}`))
    if (reads !== 'own') assert.deepEqual(read(...name.split(' '), '--help'), one)
  }
  assert.match((read('users') as { text: string }).text, /users passwd NAME/)
  for (const [line, sentence] of [
    ['users lost', /^There is no command "users lost": did you mean holdall users list\?$/],
    ['user list', /^There is no command "user": did you mean holdall users\?$/],
    ['users add', /^Something is missing: write holdall users add NAME\.$/],
    ['users add ann secret', /^A password is no argument/],
    ['users passwd ann -p secret', /^A password is no argument/],
    // Options of these names are the server's.
    ['users add ann --password secret', /^A password is no argument/],
    ['users list --import-on-start', /^There is no option --import-on-start: /],
    ['users add ann --scop /', /^There is no option --scop: did you mean --scope\?$/],
    ['users add ann --scope --json', /^--scope needs a value: --scope \/PATH\.$/],
    ['users list a b', /^"b" is one word too many: write holdall users list \[NAME\]\.$/],
    ['help nothing', /^There is no command "nothing": holdall help lists them\.$/],
    ['sun', /^"sun" is not an option: write holdall --root DIR\.$/],
  ] as const)
    assert.throws(() => read(...line.split(' ')), { name: 'StartupError', message: sentence })
})

test('spellings of File Browser are understood, with a line that names ours', () => {
  const start = read('users', 'rm', 'ann')
  assert.ok(start.kind === 'command')
  assert.deepEqual([start.request.name, start.note], ['users remove', '"users rm" is "holdall users remove" here.'])
  assert.equal(read('health').kind, 'health')
  assert.deepEqual(read('licenses'), { kind: 'licenses' })
})

test('a password is typed without echo, with backspace, and is broken off by Ctrl-C', async () => {
  const modes: boolean[] = []
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) })
  let shown = ''
  const terminal = { input, output: { write: (text: string) => (shown += text) } }
  const first = askHidden('Password: ', terminal)
  input.write('gone\x15pas😀\x7fsx')
  input.write('\x7fword\rnext\r')
  assert.equal(await first, 'password')
  assert.equal(await askHidden('Again: ', terminal), 'next')
  const broken = askHidden('Password: ', terminal)
  input.write('half\x03')
  await assert.rejects(broken, /no password was typed/)
  assert.deepEqual([shown, modes], ['Password: \nAgain: \nPassword: \n', [true, false, true, false, true, false]])
  await assert.rejects(askHidden('', { ...terminal, input: new PassThrough() }), /there is no terminal/)
})
