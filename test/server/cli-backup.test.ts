// `holdall backup` and `holdall restore`, with a running server and without one.
import assert from 'node:assert/strict'
import fs, {
  chmodSync,
  chownSync,
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
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { backUpState, incomplete } from '../../src-server/state/back-up-state.ts'
import { takeBackSwaps } from '../../src-server/state/broken-restore.ts'
import { copyFile } from '../../src-server/state/copied-files.ts'
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

testCommand('a server that runs says what it serves, where the root is not named', setup, async ({ app, cliWith, isRunning }) => {
  const server = ['--database', join(app.folder, 'state.json')]
  if (isRunning) await assert.rejects(cliWith({ server }, 'backup', 'files/copy'), /files\/copy is in the served folder/)
  const made = await cliWith({ server }, 'backup', 'copy')
  assert.equal(made.code, 0)
  if (isRunning) assert.equal(made.err, '')
  else assert.match(made.err, /^it is not known which folder is served, and a backup in it could be downloaded: with --root/)
})

testCommand('as root, a backup is made in a folder of root, and is of the owner of the state', setup, async (place) => {
  const { app, cli, json, isRunning, stored } = place
  if (process.geteuid?.() !== 0 || isRunning) return
  plantBeside(place)
  const { uid } = lstatSync(join(app.folder, 'state.json'))
  mkdirSync(join(app.folder, 'vault.mine'), { mode: 0o700 })
  const made = (await json('backup', 'vault.mine/copy')) as { folder: string }
  const names = ['', ...readdirSync(made.folder, { recursive: true }).map(String)]
  assert.deepEqual(new Set(names.map((name) => lstatSync(join(made.folder, name)).uid)), new Set([uid]))
  const before = stored()
  for (const name of readdirSync(app.folder))
    if (name.startsWith('state.json')) rmSync(join(app.folder, name), { recursive: true })
  // Whose it was the backup says.
  assert.equal((await cli('restore', 'vault.mine/copy')).code, 0)
  assert.deepEqual([stored(), lstatSync(join(app.folder, 'state.json')).uid], [before, uid])
  chownSync(join(app.folder, 'vault.mine'), uid, uid)
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

test('a backup that was broken off, and one of a link, are none', async (t) => {
  const folder = await withState(t)
  await runCli(folder, ['backup', 'copy'])
  writeFileSync(join(folder, 'copy', incomplete), '')
  await assert.rejects(runCli(folder, ['restore', 'copy']), /copy holds a backup that was broken off: name another one\./)
  mkdirSync(join(folder, 'linked'))
  symlinkSync(join(folder, 'state.json'), join(folder, 'linked/state.json'))
  const before = readdirSync(folder)
  await assert.rejects(runCli(folder, ['restore', 'linked']), /state\.json is a link or no file: copy what it leads to\./)
  assert.deepEqual(readdirSync(folder), before)
})

test('nothing is read through a link that is put in the place of a folder', (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'outside'))
  writeFileSync(join(folder, 'outside/secret'), 'secret')
  symlinkSync('outside', join(folder, 'inside'))
  const writer = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
  assert.throws(() => copyFile({ from: folder, path: 'inside/secret', to: join(folder, 'copy'), writer }), /ENOTDIR|ELOOP/)
})

/** Where a restore moves something, or all after that too, as after a kill. */
for (const isKilled of [false, true])
  test(`a restore that is broken off ${isKilled ? 'by a kill' : 'by an error'} at any step is taken back`, async (t) => {
    const folder = await withState(t)
    const beside = (name: string) => join(folder, `state.json.${name}`)
    for (const name of ['downloads', 'other']) writeFileSync(beside(name), `${name} then`)
    await runCli(folder, ['backup', 'copy'])
    rmSync(beside('other'))
    for (const name of ['downloads', 'new']) writeFileSync(beside(name), `${name} now`)
    await runCli(folder, ['users', 'add', 'bob', '--password-file', '-'], { input: 'a long and easy password\n' })
    const content = () => {
      const names = readdirSync(folder).filter((name) => /^state\.json(\.(downloads|other|new))?$/.test(name))
      return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
    }
    const before = content()
    const { renameSync } = fs
    let steps = 0
    for (let last = 0; last <= steps; last++) {
      steps = 0
      fs.renameSync = (...paths) => {
        if (isKilled ? steps++ >= last : steps++ === last) throw new Error('broken off')
        renameSync(...paths)
      }
      syncBuiltinESMExports()
      const restored = await runCli(folder, ['restore', 'copy']).catch((error: Error) => error)
      fs.renameSync = renameSync
      syncBuiltinESMExports()
      if (!(restored instanceof Error)) break
      assert.match(restored.message, /could not be put in place \(broken off\)/)
      if (readdirSync(folder).some((name) => name.includes('.swapping-'))) {
        assert.ok(isKilled)
        await assert.rejects(runCli(folder, ['users', 'list']), /A restore of .* was broken off: run holdall restore FOLDER/)
        await assert.rejects(runCli(folder, ['backup', 'another']), /was broken off/)
        takeBackSwaps(join(folder, 'state.json'))
      }
      assert.deepEqual(content(), before, `after ${last} steps`)
      assert.ok(
        readdirSync(folder).every((name) => !/\.(restoring|swapping|replaced)-/.test(name)),
        `after ${last} steps`,
      )
    }
    assert.ok(steps > 5, `${steps} steps`)
    assert.equal(readFileSync(beside('other'), 'utf8'), 'other then')
    assert.deepEqual([existsSync(beside('new')), readFileSync(beside('downloads'), 'utf8')], [false, 'downloads then'])
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
