// What an import brings into a state, and how the server goes on with it.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfigFile } from '../../src-server/options/config-file.ts'
import type { StateData } from '../../src-server/state/state-data.ts'
import { StoppedClock } from '../support/clock.ts'
import { failing } from '../support/failing-system.ts'
import { databaseOf, storedAdmin, storedSettings, storedUser } from '../support/file-browser.ts'
import { importFolder, runImport, runImportWith } from '../support/import-folder.ts'
import { startApp } from '../support/start-app.ts'

const files = ['/bob/docs/plan.txt', '/public/a b#c.txt', '/carol/x']
const argv = ['filebrowser.db', '--root', 'root']
const stateIn = (at: (path: string) => string): StateData => JSON.parse(readFileSync(at('holdall.json'), 'utf8'))
const idsAndNames = ({ users }: StateData) => users.map(({ id, username }) => [id, username])

/** The server on the imported state, at the time of the import: the links of the fixture end. */
const serve = (t: TestContext, at: (path: string) => string, options: { rootMoved?: boolean; root?: string } = {}) =>
  startApp(t, {
    users: {},
    services: { clock: new StoppedClock(1_795_900_000_000) },
    options: { database: at('holdall.json'), root: at('root'), ...options },
  })

test('all of a database is in the state: people sign in with their passwords, and old links lead to what they did', async (t) => {
  const { folder, at } = importFolder(t, { files })
  const before = readFileSync(at('filebrowser.db'))
  const { code, text } = await runImport(folder, ...argv)
  assert.equal(code, 0)
  assert.match(
    text,
    /All of it is in .*holdall\.json\. Start with: holdall --root .*\/root --database .*holdall\.json --config .*holdall\.json\.config\.json\n$/,
  )
  assert.deepEqual(readFileSync(at('filebrowser.db')), before)
  const { url } = await serve(t, at)
  const signIn = (username: string, password: string) =>
    fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  for (const [username, password] of [
    ['bob', 'fixture-Bob-263'],
    ['zoë müller', 'fixture-Zoë-263'],
  ] as const) {
    assert.equal((await signIn(username, `${password}x`)).status, 403, username)
    assert.equal((await signIn(username, password)).status, 200, username)
  }
  const token = await (await signIn('bob', 'fixture-Bob-263')).text()
  const listed = await fetch(`${url}/api/resources/docs/`, { headers: { 'x-auth': token } })
  assert.deepEqual(
    (await listed.json()).items.map(({ name }: { name: string }) => name),
    ['plan.txt'],
  )
  const content = async (path: string, headers = {}) => {
    const answer = await fetch(`${url}/api/public/dl/${path}`, { headers })
    return answer.status === 200 ? (await answer.text()).slice(0, 60) : answer.status
  }
  assert.equal(await content('w02LK-N_'), 'content of /bob/docs/plan.txt')
  assert.equal(await content('yYk6JnsS/plan.txt'), 'content of /bob/docs/plan.txt')
  assert.equal(await content('PRcuWkFV'), 'content of /public/a b#c.txt')
  assert.equal(await content('VR4vbh8u/plan.txt'), 401)
  assert.equal(await content('VR4vbh8u/plan.txt', { 'x-share-password': 'wrong' }), 401)
  assert.equal(await content('VR4vbh8u/plan.txt', { 'x-share-password': 'share-Secret-263' }), 'content of /bob/docs/plan.txt')
  assert.equal(await content('mizsk5vE'), 404)
  assert.equal(await content('UDje07OM'), 404)
})

test('links to what a rule hides do not come, also where symbolic links lead on, and those below a linked scope lead to what they did', async (t) => {
  const deny = (path: string) => ({ regex: false, allow: false, path, regexp: null })
  const links = {
    aaaaaaa1: '/closed',
    aaaaaaa2: '/closed/plan.txt',
    aaaaaaa3: '/globally',
    aaaaaaa4: '/.hidden',
    aaaaaaa5: '/real',
    aaaaaaa7: '/way',
    aaaaaaa8: '/way/plan.txt',
    aaaaaaa9: '/toSecret',
  }
  const owners: Readonly<Record<string, number>> = { aaaaaaa4: 2 }
  const { folder, at } = importFolder(t, {
    files: ['/real/plan.txt', '/real/private/x', '/secret/x', '/other/y', '/pub/f.txt', '/homes/bob/f.txt'],
    records: {
      users: [
        storedAdmin({ rules: [deny('/closed'), deny('/way/private'), deny('/secret')] }),
        storedUser({ scope: '/', hideDotfiles: true }),
        storedUser({ id: 3, username: 'linked', scope: '/bob' }),
      ],
      settings: storedSettings({ rules: [deny('/globally')] }),
      links: [
        ...Object.entries(links).map(([hash, path]) => ({ hash, path, userID: owners[hash] ?? 1, expire: 0 })),
        { hash: 'aaaaaaa6', path: '/f.txt', userID: 3, expire: 0 },
      ],
    },
  })
  for (const [name, to] of Object.entries({
    closed: 'real',
    way: 'real',
    toSecret: 'secret',
    globally: 'other',
    '.hidden': 'pub',
    bob: 'homes/bob',
  }))
    symlinkSync(to, at(`root/${name}`))
  const { text } = await runImport(folder, ...argv)
  for (const hash of ['aaaaaaa1', 'aaaaaaa2', 'aaaaaaa3', 'aaaaaaa4'])
    assert.match(text, new RegExp(`link "${hash}".*a rule hides it from its owner`))
  assert.match(text, /link "aaaaaaa7".*symbolic links lead to it, and a rule about its path may hide something in it/)
  assert.match(text, /link "aaaaaaa9".*a rule hides from its owner what it leads to/)
  const { url } = await serve(t, at)
  const found: string[] = []
  for (const hash of [...Object.keys(links), 'aaaaaaa6'])
    if ((await fetch(`${url}/api/public/share/${hash}`)).status === 200) found.push(hash)
  assert.deepEqual(found, ['aaaaaaa5', 'aaaaaaa8', 'aaaaaaa6'])
})

test('the state has users with their ids, the settings, and an end of the ids that were given', async (t) => {
  const { folder, at } = importFolder(t, { files })
  await runImport(folder, ...argv)
  const state = stateIn(at)
  assert.deepEqual(
    state.users.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6, 7, 9, 10],
  )
  assert.deepEqual([state.lastUserId, state.settings.branding.color, state.settings.trash.days], [10, '#ff8800', 30])
  assert.ok(!('idThere' in (state.users[0] ?? {})))
  const config = at('holdall.json.config.json')
  assert.equal(statSync(config).mode & 0o777, 0o600)
  assert.deepEqual(Object.keys(readConfigFile(config, '--config')), ['address', 'port', 'baseurl', 'token-lifetime'])
})

test('the secret of a captcha has a file of its own', async (t) => {
  const auther = { recaptcha: { host: '', key: 'site', secret: 'hidden' } }
  const { folder, at } = importFolder(t, { records: { auther } })
  await runImport(folder, ...argv)
  const { 'captcha-secret-file': file, ...options } = JSON.parse(readFileSync(at('holdall.json.config.json'), 'utf8'))
  assert.deepEqual(options, { address: '127.0.0.1', port: '8080', 'captcha-key': 'site' })
  assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['hidden\n', 0o600])
})

test('what must be answered first leaves no state', async (t) => {
  const { folder, at } = importFolder(t, { records: { users: [storedUser()] } })
  assert.equal((await runImport(folder, ...argv)).code, 2)
  assert.deepEqual(readdirSync(folder).toSorted(), ['filebrowser.db', 'root'])
  assert.ok(!existsSync(at('holdall.json')))
})

test('a state with users is left alone, unless it is said what happens to them', async (t) => {
  const { folder, at } = importFolder(t, { files })
  await runImport(folder, ...argv)
  const before = stateIn(at)
  await assert.rejects(runImport(folder, ...argv), /has users already: add --merge to keep them, or --replace/)
  assert.deepEqual(stateIn(at), before)
  const again = await runImport(folder, ...argv, '--merge')
  assert.match(again.text, /users: 9 that an earlier import has brought[\s\S]*Nothing of it is new\.\n$/)
  assert.deepEqual(stateIn(at), before)
})

test('a state of another root is not added to', async (t) => {
  const { folder, at } = importFolder(t, { files: ['/bob/x'], records: { users: [storedAdmin()] } })
  await runImport(folder, ...argv)
  await assert.rejects(
    runImport(folder, 'filebrowser.db', '--root', 'root/bob', '--merge'),
    /was imported for another folder than --root/,
  )
  assert.equal((await runImport(folder, 'filebrowser.db', '--root', 'root/bob', '--replace')).code, 0)
  assert.equal(stateIn(at).imported?.length, 1)
})

test('users and links are added to those of a state, whose settings stay', async (t) => {
  const users = [storedAdmin(), storedUser({ id: 2, username: 'bob' }), storedUser({ id: 7, username: 'eve' })]
  const link = (hash: string, userID: number) => ({ hash, path: '/docs/plan.txt', userID, expire: 0 })
  const { folder, at } = importFolder(t, {
    files: ['/bob/docs/plan.txt'],
    records: { users, links: [link('ofbob', 2), link('ofeve', 7)] },
  })
  await runImport(folder, ...argv)
  const others = [
    storedAdmin({ username: 'root' }),
    storedUser({ id: 2, username: 'BOB' }),
    storedUser({ id: 3, username: 'zoe' }),
  ]
  const settings = storedSettings({ key: 'BBBB', signup: true })
  writeFileSync(
    at('filebrowser.db'),
    databaseOf({ users: others, links: [link('ofBOB', 2), link('ofeve', 3), link('ofzoe', 3)], settings, lastId: 3 }),
  )
  const { text } = await runImport(folder, ...argv, '--merge')
  assert.match(text, /user "BOB": has a name that is taken here: links and rules of this user do not come either/)
  assert.match(text, /link "ofeve" to "\/docs\/plan\.txt": its hash is taken here/)
  const state = stateIn(at)
  assert.deepEqual(idsAndNames(state), [
    [1, 'admin'],
    [2, 'bob'],
    [7, 'eve'],
    [11, 'root'],
    [12, 'zoe'],
  ])
  assert.deepEqual(
    state.links.map(({ hash, userId }) => [hash, userId]),
    [
      ['ofbob', 2],
      ['ofeve', 7],
      ['ofzoe', 12],
    ],
  )
  assert.equal(state.settings.signup, false)
  await runImport(folder, ...argv, '--merge')
  assert.deepEqual(stateIn(at), state)
})

test('those who are added keep the global rules that held for them, before their own', async (t) => {
  const rule = (path: string) => ({ regex: false, allow: false, path, regexp: null })
  const { folder, at } = importFolder(t, { records: { users: [storedAdmin()] } })
  await runImport(folder, ...argv)
  const settings = storedSettings({ key: 'BBBB', rules: [rule('/lost')] })
  writeFileSync(at('filebrowser.db'), databaseOf({ users: [storedUser({ rules: [rule('/own')] })], settings }))
  await runImport(folder, ...argv, '--merge')
  const { users, settings: present } = stateIn(at)
  assert.deepEqual(
    users.map(({ rules }) => rules.map(({ regexp }) => regexp.raw)),
    [[], ['^/lost', '^/own']],
  )
  assert.deepEqual(present.rules, [])
})

test('with --replace those of before go, their ids are not given again, and a backup is kept', async (t) => {
  const { folder, at } = importFolder(t, { records: { users: [storedAdmin({ id: 4 })], lastId: 4 } })
  await runImport(folder, ...argv)
  const { instance } = stateIn(at)
  writeFileSync(at('filebrowser.db'), databaseOf({ users: [storedAdmin({ id: 3 }), storedUser({ id: 9 })], lastId: 9 }))
  const { text } = await runImport(folder, ...argv, '--replace')
  const state = stateIn(at)
  assert.deepEqual(
    [state.instance, idsAndNames(state)],
    [
      instance,
      [
        [10, 'admin'],
        [9, 'bob'],
      ],
    ],
  )
  const [backup = ''] = readdirSync(folder).filter((name) => name.includes('.before-import-'))
  assert.ok(text.includes(backup) && statSync(join(folder, backup)).mode % 0o1000 === 0o600)
  assert.deepEqual(idsAndNames(JSON.parse(readFileSync(join(folder, backup), 'utf8'))), [[4, 'admin']])
})

test('what the next start could not read is not written', async (t) => {
  const { folder, at } = importFolder(t, { records: { users: [storedAdmin()] } })
  await runImport(folder, ...argv)
  writeFileSync(at('holdall.json'), JSON.stringify({ ...stateIn(at), lastUserId: 2 ** 52 }))
  writeFileSync(
    at('filebrowser.db'),
    databaseOf({ users: [storedAdmin({ username: 'root' })], settings: storedSettings({ key: 'BBBB' }) }),
  )
  const before = [readFileSync(at('holdall.json'), 'utf8'), readdirSync(folder)]
  for (const flag of ['--merge', '--replace'])
    await assert.rejects(
      runImport(folder, ...argv, flag),
      /^StartupError: Nothing was imported: the state could not be read any more/,
    )
  assert.deepEqual([readFileSync(at('holdall.json'), 'utf8'), readdirSync(folder)], before)
})

test('no file with options is replaced', async (t) => {
  const auther = { recaptcha: { host: '', key: 'site', secret: 'hidden' } }
  const { folder, at } = importFolder(t, { records: { auther } })
  writeFileSync(at('holdall.json.config.json'), 'kept')
  writeFileSync(at('holdall.json.captcha-secret'), 'kept')
  const first = await runImport(folder, ...argv)
  const name = 'holdall.json.config-20261128T210640Z.json'
  assert.match(first.text, new RegExp(`--config .*${name}\n$`))
  const { 'captcha-secret-file': secret } = JSON.parse(readFileSync(at(name), 'utf8'))
  assert.equal(readFileSync(secret, 'utf8'), 'hidden\n')
  assert.equal(statSync(at(name)).mode & 0o777, 0o600)
  for (const file of ['config.json', 'captcha-secret']) assert.equal(readFileSync(at(`holdall.json.${file}`), 'utf8'), 'kept')
  // The same options again need no other file.
  const names = readdirSync(folder).filter((file) => file.includes('config'))
  assert.match((await runImport(folder, ...argv, '--replace')).text, new RegExp(`--config .*${name}\n$`))
  assert.deepEqual(
    readdirSync(folder).filter((file) => file.includes('config')),
    names,
  )
})

test('a state that cannot be kept is not replaced, and one that cannot be written is not left half', async (t) => {
  const { folder, at } = importFolder(t, { records: { users: [storedAdmin()] } })
  const { system, arm } = failing()
  const written = () => readdirSync(folder).filter((name) => name === 'holdall.json')
  arm('rename', 'ENOSPC', 2)
  await assert.rejects(runImportWith({ system }, folder, ...argv), /ENOSPC/)
  assert.deepEqual(written(), [])
  await runImport(folder, ...argv)
  const before = readFileSync(at('holdall.json'), 'utf8')
  // The first is a backup, which is made at each start.
  arm('rename', 'EIO', 2)
  await assert.rejects(
    runImportWith({ system }, folder, ...argv, '--replace'),
    /^StartupError: Nothing was imported: .* \(EIO\)\.$/,
  )
  assert.equal(readFileSync(at('holdall.json'), 'utf8'), before)
})

test('an import that was broken off before its state is done again with the same files beside it', async (t) => {
  const auther = { recaptcha: { host: '', key: 'site', secret: 'hidden' } }
  const { folder } = importFolder(t, { records: { auther } })
  const { system, arm } = failing()
  // After the secret and the options, as a kill would.
  arm('rename', 'EIO', 3)
  await assert.rejects(runImportWith({ system }, folder, ...argv), /EIO/)
  const beside = ['holdall.json.captcha-secret', 'holdall.json.config.json']
  const written = () => readdirSync(folder).filter((name) => /config|secret|json$/.test(name))
  assert.deepEqual(written().toSorted(), beside)
  await runImport(folder, ...argv)
  assert.deepEqual(written().toSorted(), ['holdall.json', ...beside])
})

test('a root that has moved is stored with what is added, and not before there is an answer', async (t) => {
  const { folder, at } = importFolder(t, { files: ['/bob/x'], records: { users: [storedAdmin()] } })
  await runImport(folder, ...argv)
  const before = readFileSync(at('holdall.json'), 'utf8')
  const moved = ['filebrowser.db', '--root', 'root/bob', '--merge', '--root-moved']
  const regex = { regex: true, allow: false, path: '', regexp: { raw: '(' } }
  const settings = storedSettings({ key: 'BBBB' })
  writeFileSync(at('filebrowser.db'), databaseOf({ users: [storedUser({ rules: [regex] })], settings }))
  assert.equal((await runImport(folder, ...moved)).code, 2)
  assert.equal(readFileSync(at('holdall.json'), 'utf8'), before)
  // Both are one change: a break leaves neither. The first file is a backup.
  const { system, arm } = failing()
  const succeeds = async (nth: number) => {
    arm('rename', 'EIO', nth)
    const run = runImportWith({ system }, folder, ...moved, '--unusable-rules', 'block')
    return run.then(
      ({ code }) => code === 0,
      (error) => assert.match(String(error), /Nothing was imported/) ?? false,
    )
  }
  let nth = 2
  for (; !(await succeeds(nth)); nth++) assert.equal(readFileSync(at('holdall.json'), 'utf8'), before)
  assert.ok(nth > 2)
  assert.deepEqual(
    stateIn(at).imported?.map(({ root }) => root),
    [at('root/bob'), at('root/bob')],
  )
})

test('an imported state is served from the root that it was imported for, until another one is said to be it', async (t) => {
  const { folder, at } = importFolder(t, { files: ['/bob/docs/plan.txt'], records: { users: [storedAdmin()] } })
  await runImport(folder, ...argv)
  const { root, rootIdentity } = stateIn(at).imported?.[0] ?? {}
  assert.equal(root, at('root'))
  // The same folder under another name is the same; where nothing tells folders apart, the name counts.
  renameSync(at('root'), at('moved'))
  if (rootIdentity !== '') await (await serve(t, at, { root: at('moved') })).close()
  await assert.rejects(serve(t, at, { root: folder }), /was imported for another folder than --root .* add --root-moved once/)
  await (await serve(t, at, { root: folder, rootMoved: true })).close()
  await (await serve(t, at, { root: folder })).close()
})

test('the root is the same where its disk tells no time of its birth, and not where it tells another', async (t) => {
  const { folder, at } = importFolder(t, { files: ['/bob/docs/plan.txt'], records: { users: [storedAdmin()] } })
  await runImport(folder, ...argv)
  const state = stateIn(at)
  const [from] = state.imported ?? []
  const [device, inode] = from?.rootIdentity.split(':') ?? []
  if (from === undefined || inode === undefined) return t.skip('nothing tells folders apart here')
  const stored = (rootIdentity: string) =>
    writeFileSync(at('holdall.json'), JSON.stringify({ ...state, imported: [{ ...from, rootIdentity }] }))
  stored(`${device}:${inode}:0`)
  await (await serve(t, at)).close()
  for (const other of [`${device}:${inode}0:0`, `${device}:${inode}:5`]) {
    stored(other)
    await assert.rejects(serve(t, at), /was imported for another folder/, other)
  }
  stored(`${device}:${inode}:0`)
  renameSync(at('root'), at('moved'))
  await assert.rejects(serve(t, at, { root: at('moved') }), /was imported for another folder/)
})
