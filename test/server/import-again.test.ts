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
