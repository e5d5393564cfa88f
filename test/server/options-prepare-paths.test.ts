import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartupError } from '../../src-server/base/startup-error.ts'
import { firstPassword } from '../../src-server/options/first-password.ts'
import { allowGroupOnSocket, prepareFolders, removeStaleSocket, rootWarning } from '../../src-server/options/prepare-paths.ts'
import { type Env, makeStartFolder, read } from '../support/read-start.ts'

test("the first administrator's password is removed from the environment at once, and no dump of the options shows it", (t) => {
  const folder = makeStartFolder(t)
  const env = { HOLDALL_ADMIN_PASSWORD: 'correct horse battery' }
  const options = read(folder, [], env)
  assert.deepEqual(Object.keys(env), [])
  assert.ok(!JSON.stringify(options).includes('horse'))
  assert.deepEqual(firstPassword(options), { password: 'correct horse battery', option: 'HOLDALL_ADMIN_PASSWORD' })
  assert.deepEqual(options.warnings, [])
  const broken: Env = { HOLDALL_ADMIN_PASSWORD: 'correct horse battery' }
  assert.throws(() => read(folder, ['--port', 'x'], broken), StartupError)
  assert.deepEqual(Object.keys(broken), [], 'also when the start fails')
})

test('the password file is read when the password is needed, without its line end', (t) => {
  const folder = makeStartFolder(t)
  const options = read(folder, ['--admin-password-file', 'p'], { HOLDALL_ADMIN_PASSWORD: 'the other' })
  assert.throws(() => firstPassword(options), /^StartupError: --admin-password-file .*p cannot be read/)
  writeFileSync(join(folder, 'p'), ' spaces count \r\n')
  assert.deepEqual(firstPassword(options), { password: ' spaces count ', option: `--admin-password-file ${join(folder, 'p')}` })
  assert.equal(firstPassword(read(folder)), undefined)
})

test('the cache folder is restricted to the owner, also when it existed before', (t) => {
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const folder = makeStartFolder(t)
  const options = read(folder, ['--cache-dir', 'c'])
  prepareFolders(options)
  assert.equal(statSync(join(folder, 'c')).mode & 0o777, 0o700)
  chmodSync(join(folder, 'c'), 0o755)
  prepareFolders(options)
  assert.equal(statSync(join(folder, 'c')).mode & 0o777, 0o700)
})

test('run from source, `files` is created, and no other root', (t) => {
  const folder = makeStartFolder(t)
  const project = join(folder, 'bin')
  prepareFolders(read(folder, [], {}, { location: { project }, cwd: project }))
  assert.ok(statSync(join(project, 'files')).isDirectory())
  prepareFolders(read(folder, [], {}, { location: { project }, cwd: project }))
})

test('a cache that is a link gives a message', (t) => {
  const folder = makeStartFolder(t)
  symlinkSync('files', join(folder, 'c'))
  assert.throws(() => prepareFolders(read(folder, ['--cache-dir', 'c'])), /^StartupError: .*c cannot be made .*--cache-dir/)
})

test('a stale socket is removed, a live one gives a message, and a file that is no socket stays', async (t) => {
  const folder = makeStartFolder(t)
  const socket = join(folder, 's')
  const server = createServer().listen(socket)
  await new Promise((resolve) => server.once('listening', resolve))
  allowGroupOnSocket(socket)
  assert.equal(statSync(socket).mode & 0o777, 0o660)
  await assert.rejects(removeStaleSocket(socket), /^StartupError: --socket .*s is in use by another process/)
  assert.ok(statSync(socket).isSocket())
  await new Promise((resolve) => server.close(resolve))
  await leaveSocket(socket)
  assert.ok(statSync(socket).isSocket())
  await removeStaleSocket(socket)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name === 's'),
    [],
  )
  await removeStaleSocket(socket)
  await assert.rejects(removeStaleSocket(join(folder, 'file')), /already exists and is not a socket/)
})

/** Leaves a stale socket: the process that listened is killed. */
async function leaveSocket(socket: string) {
  const script = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`
  try {
    execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' })
  } catch {
    // The process has killed itself, as intended.
  }
}

test('a root that cannot be written is said at the start, by the user who cannot', (t) => {
  const options = read(makeStartFolder(t))
  assert.equal(rootWarning(options), undefined)
  const refuse = () => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  }
  const { uid, gid } = userInfo()
  const who = `by the user ${uid} and the group ${gid}`
  assert.equal(
    rootWarning(options, refuse),
    `--root ${options.root} cannot be written ${who} (EACCES): uploads and other changes in it will be refused.`,
  )
})
