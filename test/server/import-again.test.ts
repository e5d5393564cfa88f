// An import into a state that has users.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { databaseOf, storedAdmin, storedServer, storedSettings, storedUser } from '../support/file-browser.ts'
import { importFolder, runImport } from '../support/import-folder.ts'

const argv = ['filebrowser.db', '--root', 'root']

test('what has no users replaces none', async (t) => {
  const { folder, at } = importFolder(t, { records: { users: [storedAdmin()] } })
  await runImport(folder, ...argv)
  const before = readFileSync(at('holdall.json'), 'utf8')
  writeFileSync(at('config.json'), JSON.stringify({ settings: storedSettings(), server: storedServer(), auther: {} }))
  writeFileSync(at('none.db'), databaseOf({ users: [] }))
  for (const file of ['config.json', 'none.db'])
    for (const flags of [['--replace'], ['--replace', '--dry-run']]) {
      const { code, text } = await runImport(folder, file, '--root', 'root', ...flags)
      assert.equal(code, 2)
      assert.match(
        text,
        /What must be answered first\n {2}No users come, and --replace would remove all that are here: name the file of users export too, or the database\.\n$/,
      )
    }
  assert.equal(readFileSync(at('holdall.json'), 'utf8'), before)
  writeFileSync(at('users.json'), JSON.stringify([storedAdmin({ username: 'root' }), storedUser()]))
  assert.equal((await runImport(folder, 'config.json', 'users.json', '--root', 'root', '--replace')).code, 0)
})

test('after --merge the server is started with the options of the first import', async (t) => {
  const { folder, at } = importFolder(t, { records: { users: [storedAdmin()] } })
  const first = await runImport(folder, ...argv)
  const command = first.text.slice(first.text.indexOf('Start with: '))
  assert.match(command, /--config .*\/holdall\.json\.config\.json\n$/)
  const add = (username: string, ...flags: string[]) => {
    const records = { users: [storedAdmin({ username })], settings: storedSettings({ key: username }) }
    writeFileSync(at('filebrowser.db'), databaseOf(records))
    return runImport(folder, ...argv, '--merge', ...flags)
  }
  assert.ok((await add('root')).text.endsWith(command))
  mkdirSync(at('music'))
  assert.match((await add('root1', '--links-into', 'music')).text, /--config .*\.json --links-into .*\/music\n$/)
  rmSync(at('holdall.json.config.json'))
  assert.doesNotMatch((await add('root2')).text, /--config/)
})

test('of a database that was copied and changed, those with the ids of others are named', async (t) => {
  const users = (...names: string[]) => [
    storedAdmin(),
    ...names.map((username, index) => storedUser({ id: index + 2, username })),
  ]
  const { folder, at } = importFolder(t, { records: { users: users('bob', 'BOB', 'eve', 'gone') } })
  await runImport(folder, ...argv)
  const state = JSON.parse(readFileSync(at('holdall.json'), 'utf8'))
  const left = state.users.filter(({ username }: { username: string }) => username !== 'gone')
  writeFileSync(at('holdall.json'), JSON.stringify({ ...state, users: left }))
  const again = await runImport(folder, ...argv, '--merge')
  assert.match(again.text, / {2}users: 4 that an earlier import has brought\n/)
  assert.match(again.text, / {2}user "gone": came with an earlier import, and was removed here since\n/)
  assert.doesNotMatch(again.text, /has the id/)
  const link = { hash: 'aaaaaaaa', path: '/', userID: 4, expire: 0 }
  writeFileSync(at('filebrowser.db'), databaseOf({ users: users('bob', 'BOB', 'mallory'), links: [link] }))
  const { text } = await runImport(folder, ...argv, '--merge')
  assert.match(text, / {2}users: 3 that an earlier import has brought\n/)
  assert.match(
    text,
    / {2}user "mallory": has the id of "eve", who came with an earlier import: this user does not come, neither links nor rules\n/,
  )
  assert.match(text, /Nothing of it is new\.\n$/)
  assert.deepEqual(JSON.parse(readFileSync(at('holdall.json'), 'utf8')).users, left)
})

test('an import that takes no settings says nothing of those, and is not stopped by them', async (t) => {
  const { folder, at } = importFolder(t, { records: { users: [storedAdmin()] } })
  await runImport(folder, ...argv)
  const deny = (path: string) => ({ regex: false, allow: false, path, regexp: null })
  const settings = storedSettings({ key: 'BBBB', signup: true, createUserDir: true, userHomeBasePath: '/homes' })
  const defaults = { ...settings.defaults, scope: '/\0bad', hideDotfiles: true }
  const commands = { after_upload: ['touch x'] }
  const users = [storedAdmin({ username: 'root' })]
  const records = { users, settings: { ...settings, defaults, commands, logoutPage: '/bye', rules: [deny('/x')] } }
  writeFileSync(at('filebrowser.db'), databaseOf(records))
  const { code, text } = await runImport(folder, ...argv, '--merge')
  assert.equal(code, 0)
  assert.deepEqual(text.match(/^ {2}(the settings|commands of events|what new users begin with|branding)\b.*$/gm), [
    '  the settings: all of them but the rules: those that are here stay',
  ])
  const state = JSON.parse(readFileSync(at('holdall.json'), 'utf8'))
  assert.deepEqual([state.users[1].rules.length, state.settings.rules], [1, []])
})

test('of a link that an earlier import has not brought all that can be the reason is said', async (t) => {
  const link = { hash: 'aaaaaaaa', path: '/late.txt', userID: 1, expire: 0 }
  const { folder, at } = importFolder(t, { records: { users: [storedAdmin()], links: [link] } })
  await runImport(folder, ...argv)
  writeFileSync(at('root/late.txt'), '')
  const { text } = await runImport(folder, ...argv, '--merge')
  assert.match(
    text,
    / {2}links: 1 of users that came with an earlier import: they did not come with it, were made after it, or were removed here\n/,
  )
})
