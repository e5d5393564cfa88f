// An import into a state that has users.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  const add = (username: string) => {
    const records = { users: [storedAdmin({ username })], settings: storedSettings({ key: username }) }
    writeFileSync(at('filebrowser.db'), databaseOf(records))
    return runImport(folder, ...argv, '--merge')
  }
  assert.ok((await add('root')).text.endsWith(command))
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
