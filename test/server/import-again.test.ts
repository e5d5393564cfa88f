// An import into a state that has users.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
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
