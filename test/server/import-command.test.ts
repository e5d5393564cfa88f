// `holdall import FILE --root DIR --dry-run`: its command line, and its plan on a real folder.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { databaseOf, storedAdmin, storedServer, storedSettings, storedUser } from '../support/file-browser.ts'
import { importFolder, readImport, runImport } from '../support/import-folder.ts'
import { until } from '../support/until.ts'

test('the plan is shown, and nothing is written', async (t) => {
  const { folder, at } = importFolder(t, { files: ['/public/a b#c.txt', '/bob/docs/plan.txt', '/carol/private2/x'] })
  const before = [readFileSync(at('filebrowser.db')), statSync(at('filebrowser.db')).mtimeMs]
  const { code, text } = await runImport(folder, 'filebrowser.db', '--root', 'root', '--dry-run')
  assert.equal(code, 0)
  assert.match(text, /^What comes\n {2}9 users \("admin", "bob", "carol", "dave", "kiosk" and 4 more\)\n {2}9 passwords/)
  assert.match(text, /\n {2}5 links\n {2}the settings\n/)
  assert.match(text, /user "carol": the rule that denies "\/private" blocks "\/private2" too/)
  assert.ok(!text.includes('$2a$'), text)
  assert.deepEqual([readFileSync(at('filebrowser.db')), statSync(at('filebrowser.db')).mtimeMs], before)
  assert.deepEqual(readdirSync(folder).toSorted(), ['filebrowser.db', 'root'])
})

test('the plan as JSON has each record, and no hash of a password', async (t) => {
  const { folder } = importFolder(t, { files: ['/bob/docs/plan.txt'] })
  const { text } = await runImport(folder, 'filebrowser.db', '--root=root', '--dry-run', '--json')
  const plan = JSON.parse(text)
  assert.deepEqual(Object.keys(plan), ['users', 'links', 'settings', 'options', 'notes', 'stops'])
  assert.deepEqual(
    plan.users.map(({ id, hasPassword }: { id: number; hasPassword: boolean }) => [id, hasPassword]),
    [1, 2, 3, 4, 5, 6, 7, 9, 10].map((id) => [id, true]),
  )
  assert.deepEqual(plan.links[0], {
    hash: 'VR4vbh8u',
    userId: 2,
    path: '/bob/docs',
    isDir: true,
    expire: 2110606507,
    hasPassword: true,
  })
  assert.ok(!text.includes('$2a$') && !text.includes('EmGtXu1U'))
})

test('links are resolved on the disk: by what they lead to, and not beyond the scope of their owner', async (t) => {
  const link = (hash: string, path: string) => ({ hash, path, userID: 2, expire: 0 })
  const links = [link('real', '/real.txt'), link('inside', '/inside'), link('outside', '/outside'), link('out', '/out/x')]
  const { folder, at } = importFolder(t, {
    files: ['/bob/real.txt', '/ann/hers.txt'],
    records: { users: [storedAdmin(), storedUser()], links },
  })
  symlinkSync('real.txt', at('root/bob/inside'))
  symlinkSync('../ann/hers.txt', at('root/bob/outside'))
  symlinkSync('../..', at('root/bob/out'))
  writeFileSync(at('x'), '')
  const { text } = await runImport(folder, 'filebrowser.db', '--root', 'root', '--dry-run', '--json')
  const plan = JSON.parse(text)
  assert.deepEqual(
    plan.links.map(({ hash, path }: { hash: string; path: string }) => [hash, path]),
    [
      ['inside', '/bob/real.txt'],
      ['real', '/bob/real.txt'],
    ],
  )
  const reasons = plan.notes
    .filter(({ about }: { about: string }) => about.startsWith('link '))
    .map(({ text: reason }: { text: string }) => reason)
  assert.deepEqual(reasons, ['nothing is there', 'it leads out of the scope of its owner'])
})

test('links that lead out of the root are told with the option that they need', async (t) => {
  const { folder, at } = importFolder(t, {
    files: ['/a/deep/x'],
    records: { server: storedServer({ followExternalSymlinks: true }) },
  })
  for (const name of ['photos', 'music', 'deep', 'a$(b)']) mkdirSync(at(name))
  writeFileSync(at('music/song'), '')
  symlinkSync(at('photos'), at('root/photos'))
  symlinkSync('../../music/song', at('root/a/song'))
  symlinkSync('nowhere', at('root/a/nowhere'))
  symlinkSync(at('a$(b)'), at('root/a/dollar'))
  symlinkSync('/', at('root/top'))
  symlinkSync('deep', at('root/a/inside'))
  symlinkSync(at('deep'), at('root/a/deep/three'))
  const out = async (...flags: string[]) =>
    JSON.parse((await runImport(folder, 'filebrowser.db', '--root', 'root', '--dry-run', '--json', ...flags)).text)
      .notes.filter(({ about }: { about: string }) => about === 'the files')
      .map(({ text }: { text: string }) => text.replaceAll(folder, ''))
  assert.deepEqual(await out(), [
    "links lead out of the root, and are followed only with --links-into '/a$(b)' --links-into /photos",
    'links lead to "/" and "/music/song", and are not followed: --links-into with the folder would open all that is in it',
  ])
  assert.deepEqual((await out('--links-into', 'photos', '--links-into', 'music', '--links-into', 'a$(b)')).length, 1)
})

test('what must be answered first ends with 2 and the sentence', async (t) => {
  const { folder, at } = importFolder(t, { files: ['/bob/a'], records: { users: [storedAdmin(), storedUser({ scope: '' })] } })
  writeFileSync(at('filebrowser.db'), databaseOf({ users: [storedAdmin({ scope: '.' }), storedUser({ scope: at('root/bob') })] }))
  const asked = await runImport(folder, 'filebrowser.db', '--root', 'root', '--dry-run')
  assert.equal(asked.code, 2)
  assert.match(
    asked.text,
    /What must be answered first\n {2}The scope ".*\/root\/bob" of user "bob" .*--scopes host .*--scopes root\.\n$/,
  )
  const answered = await runImport(folder, 'filebrowser.db', '--root', 'root', '--dry-run', '--json', '--scopes', 'host')
  assert.deepEqual([answered.code, JSON.parse(answered.text).users[1].scope], [0, '/bob'])
})

test('nothing in a name acts on the terminal', async (t) => {
  const hostile = {
    username: 'b\u001b[2Job\u202e',
    scope: '/\u001b]0;x\u0007',
    commands: ['\u001b[3J\u009b'],
    aceEditorTheme: '\u001b[0m',
  }
  const users = [storedAdmin(), storedUser({ ...hostile, perm: { ...storedUser().perm, execute: true } })]
  const { folder } = importFolder(t, { records: { users } })
  const { text } = await runImport(folder, 'filebrowser.db', '--root', 'root', '--dry-run')
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  assert.match(text, /"b\\u001b\[2Job\\u\{202e\}"/)
  assert.match(text, /it could run "\\u001b\[3J\\u\{9b\}"/)
  const settings = storedSettings({ commands: { '\u001b[2J': [5] } })
  const { folder: other } = importFolder(t, { records: { settings } })
  await assert.rejects(
    runImport(other, 'filebrowser.db', '--root', 'root', '--dry-run'),
    ({ message }) => !/\p{Cc}/u.test(message),
  )
})

test('a database that another program has locked is not read', async (t) => {
  const { folder, at } = importFolder(t)
  const holder = spawn('flock', ['-x', at('filebrowser.db'), 'sh', '-c', 'echo held; read line'])
  t.after(() => holder.kill())
  let said = ''
  holder.stdout.on('data', (part) => {
    said += part
  })
  await until(() => said.includes('held'), 'the lock is held')
  await assert.rejects(
    runImport(folder, 'filebrowser.db', '--root', 'root', '--dry-run'),
    /filebrowser\.db is in use: stop File Browser first\.$/,
  )
})

for (const [what, argv, sentence] of [
  ['no file', ['--root', '.'], /^Name the file to import: holdall import filebrowser\.db --root DIR --dry-run\.$/],
  ['no root', ['x.db'], /^Name the folder that File Browser served/],
  ['a missing root', ['x.db', '--root', '/nothing/there'], /--root \/nothing\/there/],
  ['an unknown flag', ['x.db', '--root', '.', '--dryrun'], /^There is no option --dryrun: did you mean --dry-run\?$/],
  ['a value for a switch', ['x.db', '--root', '.', '--dry-run=yes'], /^--dry-run takes no value/],
  ['no value', ['x.db', '--root', '.', '--scopes'], /^--scopes needs a value: --scopes root\|host\.$/],
  ['another value', ['x.db', '--root', '.', '--scopes', 'both'], /^--scopes both is not known: it must be root or host\.$/],
  ['what is no version', ['x.db', '--root', '.', '--written-by', 'late'], /^--written-by late is not a version/],
  ['a wrong option of the server', ['x.db', '--root', '.', '--port', 'x'], /^--port x is not a port/],
] as const)
  test(`${what} is refused with one sentence`, () => {
    assert.throws(
      () => readImport('/tmp', ...argv),
      (error) => error instanceof Error && error.name === 'StartupError' && sentence.test(error.message),
    )
  })

for (const [version, isLater] of [
  ['2.63.0', false],
  ['v2.63.1', true],
  ['2.63', false],
  ['2.63.23', true],
  ['2.7.0', false],
  ['3.0', true],
] as const)
  test(`${version} ${isLater ? 'has' : 'has no'} whole names in rules`, () => {
    const read = readImport('/tmp', 'x.db', '--root', '.', '--written-by', version)
    assert.ok(read.kind === 'import')
    assert.equal(read.request.hasWholeNames, isLater)
  })
