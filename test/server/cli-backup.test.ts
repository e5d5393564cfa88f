// `holdall backup` and `holdall restore`, with a running server and without one.
import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { backUpState } from '../../src-server/state/back-up-state.ts'
import { type CliPlace, runCli, testCommand } from '../support/run-cli.ts'
import { startPeople, temporaryFolder } from '../support/start-state.ts'

const setup = { users: { ann: {}, bob: {} } }

/** Writes files beside the state, as its owner. */
function plantBeside({ app, isRunning }: CliPlace) {
  const beside = (name: string) => join(app.folder, `state.json.${name}`)
  if (isRunning) return beside
  const { uid, gid } = lstatSync(join(app.folder, 'state.json'))
  const own = (path: string) => process.geteuid?.() === 0 && lchownSync(path, uid, gid)
  for (const folder of ['requests', 'cache']) {
    mkdirSync(beside(folder), { recursive: true })
    own(beside(folder))
  }
  for (const name of ['downloads', 'requests/one.jsonl', 'cache/picture', `tmp-${'0'.repeat(32)}`]) {
    writeFileSync(beside(name), name)
    own(beside(name))
  }
  return beside
}

testCommand('backup copies the state and what lies beside it into a new folder', setup, async (place) => {
  const { app, json, stored, isRunning } = place
  plantBeside(place)
  const made = (await json('backup', 'copy')) as { folder: string; files: number; bytes: number; isSteady: boolean }
  assert.deepEqual([made.folder, made.isSteady], [join(app.folder, 'copy'), true])
  assert.deepEqual(JSON.parse(readFileSync(join(made.folder, 'state.json'), 'utf8')), stored())
  const names = readdirSync(made.folder, { recursive: true }).map(String)
  assert.ok(names.every((name) => name.startsWith('state.json') && !/\.(lock|pid|control|cache|reserve|tmp)/.test(name)))
  if (!isRunning) {
    assert.equal(readFileSync(join(made.folder, 'state.json.requests/one.jsonl'), 'utf8'), 'requests/one.jsonl')
    assert.equal(readFileSync(join(made.folder, 'state.json.downloads'), 'utf8'), 'downloads')
  }
  for (const name of ['', ...names]) {
    const stats = lstatSync(join(made.folder, name))
    assert.equal(stats.mode & 0o777, stats.isDirectory() ? 0o700 : 0o600, name)
  }
  // One that is there gets a folder with the time in its name.
  const again = (await json('backup', 'copy')) as { folder: string }
  assert.match(again.folder, /\/copy\/state\.json-\d{8}T\d{6}Z$/)
})

testCommand('a backup is not made where it would be served, nor over something', setup, async (place) => {
  const { app, cli } = place
  for (const [target, sentence] of [
    ['files/copy', /files\/copy is in the served folder, where people with the right to download could read it/],
    ['files', /is in the served folder/],
    ['state.json', /state\.json cannot be made \(EEXIST\): name a new folder/],
    ['none/copy', /none\/copy cannot be made \(ENOENT\)/],
    ['state.json.jobs', /is part of the state: name another folder/],
  ] as const)
    await assert.rejects(cli('backup', target), sentence)
  assert.deepEqual(readdirSync(app.root), [])
})

testCommand('restore puts a backup in place and keeps what it replaces, but not while a server runs', setup, async (place) => {
  const { app, cli, stored, isRunning } = place
  const beside = plantBeside(place)
  assert.equal((await cli('backup', 'copy')).code, 0)
  const before = stored()
  assert.equal((await cli('users', 'remove', 'bob')).code, 0)
  const changed = stored()
  if (isRunning) {
    await assert.rejects(cli('restore', 'copy'), /state\.json is in use by another process \(pid \d+\): stop that one first/)
    assert.deepEqual(stored(), changed)
    return
  }
  rmSync(beside('requests'), { recursive: true })
  const { code, out } = await cli('restore', 'copy')
  assert.equal(code, 0)
  const [, replaced = ''] = /is the one of the backup, with 2 users\.\nWhat was there is in (.*)\.\n$/.exec(out) ?? []
  assert.deepEqual(stored(), before)
  assert.equal(readFileSync(beside('requests/one.jsonl'), 'utf8'), 'requests/one.jsonl')
  assert.deepEqual(JSON.parse(readFileSync(join(replaced, 'state.json'), 'utf8')), changed)
  assert.equal(readFileSync(join(replaced, 'state.json.downloads'), 'utf8'), 'downloads')
  assert.ok(!existsSync(join(replaced, 'state.json.requests')) && existsSync(beside('cache/picture')))
  assert.equal((await cli('users', 'list', 'bob')).code, 0)
  // The other way round.
  assert.match((await cli('restore', replaced)).out, /with 1 user\.\n/)
  assert.deepEqual(stored().users, changed.users)
  assert.ok(readdirSync(app.folder).every((name) => !name.includes('.restoring-')))
})

test('restore takes a plain copy of the files, under another name, and where no state is', async (t) => {
  const folder = await withState(t)
  mkdirSync(join(folder, 'plain'))
  for (const name of readdirSync(folder).filter((one) => one.startsWith('state.json')))
    cpSync(join(folder, name), join(folder, 'plain', name.replace('state.json', 'holdall.json')), { recursive: true })
  for (const name of readdirSync(folder)) if (name.startsWith('state.json')) rmSync(join(folder, name), { recursive: true })
  const { code, out } = await runCli(folder, ['restore', 'plain'])
  assert.deepEqual([code, out], [0, `${join(folder, 'state.json')} is the one of the backup, with 1 user.\n`])
  assert.match((await runCli(folder, ['users', 'list'])).out, /ann/)
})

test('what is no backup is refused, and nothing is changed', async (t) => {
  const folder = await withState(t)
  for (const name of ['empty', 'other', 'broken']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'other/state.json'), readFileSync(join(folder, 'state.json')))
  writeFileSync(join(folder, 'other/picture.jpg'), '')
  writeFileSync(join(folder, 'broken/state.json'), '{')
  const before = readFileSync(join(folder, 'state.json'), 'utf8')
  const names = readdirSync(folder)
  for (const [from, sentence] of [
    ['none', /none cannot be read \(ENOENT\): name the folder that holdall backup has made/],
    ['empty', /empty is no backup: it must hold a state/],
    ['other', /other is no backup: it must hold a state/],
    ['broken', /broken\/state\.json is not JSON/],
  ] as const)
    await assert.rejects(runCli(folder, ['restore', from]), sentence)
  assert.deepEqual([readFileSync(join(folder, 'state.json'), 'utf8'), readdirSync(folder)], [before, names])
})

test('a backup follows no link that lies beside the state, and is removed when it cannot be made', async (t) => {
  const folder = await withState(t)
  writeFileSync(join(folder, 'secret'), 'secret')
  symlinkSync('../secret', join(folder, 'state.json.link'))
  const { folder: copy } = backUpState(join(folder, 'state.json'), join(folder, 'copy'), Date.now())
  assert.ok(!existsSync(join(copy, 'state.json.link')))
  writeFileSync(join(folder, 'state.json'), '{')
  chmodSync(join(folder, 'state.json'), 0o600)
  assert.throws(() => backUpState(join(folder, 'state.json'), join(folder, 'half'), Date.now()), /is not JSON/)
  assert.ok(!existsSync(join(folder, 'half')))
})

async function withState(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'files'))
  const { accounts, state } = await startPeople(t, { file: join(folder, 'state.json') })
  await accounts.create({ username: 'ann', password: 'a long and easy password' })
  await state.close()
  return folder
}
