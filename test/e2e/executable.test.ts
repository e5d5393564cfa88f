// The executable in an empty folder, with an empty environment, as an unknown user, and from a read-only folder.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { administratorPassword, executablePath, listening } from '../support/start-executable.ts'

const stranger = 54321
let folder: string
let alone: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdall-executable-'))
  await chmod(folder, 0o755)
  alone = join(folder, 'alone', basename(executablePath()))
  await mkdir(join(folder, 'alone'))
  await copyFile(executablePath(), alone)
  await chmod(alone, 0o755)
})
after(() => rm(folder, { recursive: true, force: true }))

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(alone, args, { cwd: join(folder, 'alone'), env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, output, errors }
}

test('--version, --help and --self-test answer with an empty environment and write nothing', async () => {
  const version = await run(['--version'])
  assert.equal(version.code, 0)
  assert.match(version.output, /\d+\.\d+\.\d+/)
  const help = await run(['--help'])
  for (const flag of ['--root', '--port', '--database', '--cache-dir', '--token-lifetime'])
    assert.ok(help.output.includes(flag), flag)
  const selfTest = await run(['--self-test'])
  assert.equal(selfTest.code, 0, selfTest.output + selfTest.errors)
  assert.match(selfTest.output, /compiled when the executable was made/)
  assert.deepEqual(await readdir(join(folder, 'alone')), [basename(alone)])
})

test('import brings a database of File Browser over, whose passwords are checked on a thread', async () => {
  const [files, state] = [join(folder, 'imported'), join(folder, 'imported.json')]
  await mkdir(files)
  const database = join(import.meta.dirname, '../fixtures/filebrowser/sample-small-v2.7.0.db')
  const { code, output, errors } = await run(['import', database, '--root', files, '--database', state])
  assert.equal(code, 0, output + errors)
  // Only a check of its hash tells.
  assert.match(output, /user "admin": has the password "admin"/)
  const { users } = JSON.parse(await readFile(state, 'utf8'))
  assert.deepEqual(
    users.map(({ username }: { username: string }) => username),
    ['admin', 'user0é', 'user2é'],
  )
})

test('the licences of what is bundled are printed, and stand beside the executable', async () => {
  const { code, output, errors } = await run(['--licenses'])
  assert.deepEqual([code, errors], [0, ''])
  assert.equal(output, await readFile(`${executablePath()}.licenses.txt`, 'utf8'))
  assert.match(output, /GNU LESSER GENERAL PUBLIC LICENSE/)
})

test('an option that is wrong is one sentence and exit code 2, and nothing is written', async () => {
  const wrong = await run(['--root', join(folder, 'no such folder')])
  assert.equal(wrong.code, 2)
  assert.equal(wrong.errors.trim().split('\n').length, 1)
  assert.match(wrong.errors, /--root/)
  assert.deepEqual(await readdir(join(folder, 'alone')), [basename(alone)])
})

test('copied to an empty folder it serves, and keeps its state beside itself', async () => {
  const root = join(folder, 'files')
  await mkdir(root)
  await serves(
    spawn(alone, ['--root', root, '--port', '0'], { cwd: folder, env: { HOLDALL_ADMIN_PASSWORD: administratorPassword } }),
  )
  const state = await stat(join(folder, 'alone', 'holdall.json'))
  assert.equal(state.mode & 0o777, 0o600)
})

test('an unknown user without a home runs it from a read-only folder', async (t) => {
  if (process.getuid?.() !== 0) return t.diagnostic('not root: run as the user who started the tests')
  const work = join(folder, 'stranger')
  for (const part of ['', 'files', 'state']) {
    await mkdir(join(work, part))
    await chown(join(work, part), stranger, stranger)
  }
  await chmod(join(folder, 'alone'), 0o555)
  const identity = ['--reuid', String(stranger), '--regid', String(stranger), '--clear-groups']
  const flags = ['--root', join(work, 'files'), '--port', '0', '--database', join(work, 'state/holdall.json')]
  const command = ['-i', `HOLDALL_ADMIN_PASSWORD=${administratorPassword}`, 'setpriv', ...identity, alone, ...flags]
  await serves(spawn('env', [...command, '--cache-dir', join(work, 'cache-of-its-own')], { cwd: '/' }))
})

test('a command of an event gets no variable of the executable, and `node` in a line of a shell is not the executable', async () => {
  const work = join(folder, 'commands')
  await mkdir(join(work, 'files'), { recursive: true })
  await mkdir(join(work, 'bin'))
  await writeFile(join(work, 'bin/node'), '#!/bin/sh\nenv > "$1"\n', { mode: 0o755 })
  const flags = ['--root', join(work, 'files'), '--port', '0', '--database', join(work, 'state.json'), '--enable-exec']
  const env = { HOLDALL_ADMIN_PASSWORD: administratorPassword, PATH: `${join(work, 'bin')}:/usr/bin:/bin` }
  const child = spawn(alone, flags, { cwd: work, env })
  try {
    const { url } = await listening(child)
    const body = JSON.stringify({ username: 'admin', password: administratorPassword })
    const login = await fetch(`${url}/api/login`, { method: 'POST', body })
    const headers = { 'X-Auth': await login.text() }
    const settings = JSON.stringify({ shell: ['sh', '-c'], commands: { before_upload: [`node "${join(work, 'seen')}"`] } })
    assert.equal((await fetch(`${url}/api/settings`, { method: 'PUT', headers, body: settings })).status, 200)
    assert.equal((await fetch(`${url}/api/resources/a.txt`, { method: 'POST', headers, body: 'a' })).status, 200)
    assert.doesNotMatch(await readFile(join(work, 'seen'), 'utf8'), /^PKG_/m)
  } finally {
    child.kill()
    await once(child, 'close')
  }
})

/** Signs in, uploads and lists; then sends SIGTERM and checks that the process exits. */
async function serves(child: ReturnType<typeof spawn>) {
  const { url, output } = await listening(child)
  try {
    const login = await fetch(`${url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: administratorPassword }),
    })
    assert.equal(login.status, 200, output())
    const headers = { 'X-Auth': await login.text() }
    const upload = await fetch(`${url}/api/resources/hello.txt`, { method: 'POST', headers, body: 'hello' })
    assert.equal(upload.status, 200)
    const listing = (await (await fetch(`${url}/api/resources/`, { headers })).json()) as { items: { name: string }[] }
    assert.deepEqual(
      listing.items.map((item) => item.name),
      ['hello.txt'],
    )
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  }
}
