// Passwords of File Browser in the plan of an import, and in the state.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { resetPassword } from '../../src-server/reset-password.ts'
import type { StateData } from '../../src-server/state/state-data.ts'
import { bcryptEngine } from '../../src-server/users/bcrypt.ts'
import { storedAdmin, storedUser } from '../support/file-browser.ts'
import { importFolder, runImport, runImportWith } from '../support/import-folder.ts'
import { startApp } from '../support/start-app.ts'

const argv = ['filebrowser.db', '--root', 'root']
const stateIn = (at: (path: string) => string): StateData => JSON.parse(readFileSync(at('holdall.json'), 'utf8'))

/** Stands for bcrypt: of hashes that end with these letters `admin` is the password. */
const bcrypt = { verify: async (password: string, hash: string) => password === 'admin' && hash.endsWith('known') }
const known = `$2a$10$${'a'.repeat(48)}known`

test('the database of 2.7.0 comes without the password that its administrator had at first', async (t) => {
  const { folder, at } = importFolder(t)
  writeFileSync(at('filebrowser.db'), readFileSync(join(import.meta.dirname, '../fixtures/filebrowser/sample-small-v2.7.0.db')))
  const { text } = await runImportWith({ bcrypt: bcryptEngine }, folder, ...argv, '--dry-run')
  assert.match(text, /user "admin": has the password "admin"/)
})

test('a password that everybody tries first does not come, whoever has it: the plan says how to get a new one', async (t) => {
  const records = {
    users: [storedAdmin({ password: known }), storedUser({ password: known }), storedUser({ id: 3, username: 'eve' })],
  }
  const { folder, at } = importFolder(t, { records })
  const { text } = await runImportWith({ bcrypt }, folder, ...argv)
  assert.match(text, /1 password, with which/)
  const reset = `holdall --database ${at('holdall.json')} --reset-password`
  assert.ok(text.includes(`administrator or by ${reset} NAME, while no server runs\n`), text)
  assert.match(text, /user "admin" and user "bob": has the password "admin".*nobody can sign in until/)
  assert.ok(text.endsWith(`\nNo administrator can sign in. Before the start, this gives a password: ${reset} admin\n`), text)
  assert.match(text, /the passwords: how long they are cannot be seen: those of less than 12 characters stay/)
  const { users } = stateIn(at)
  assert.deepEqual(
    users.map(({ password }) => password),
    ['', '', storedUser().password],
  )
  const { say, lines } = linesSaid()
  await resetPassword({ options: { database: at('holdall.json') }, username: 'admin' }, { say, isTerminal: true })
  const [, password = ''] = /is (\S+) \(/.exec(lines.join()) ?? []
  const { url } = await startApp(t, { users: {}, options: { database: at('holdall.json'), root: at('root') } })
  const body = JSON.stringify({ username: 'admin', password })
  assert.equal((await fetch(`${url}/api/login`, { method: 'POST', body })).status, 200)
})

function linesSaid() {
  const lines: string[] = []
  return { lines, say: (line: string) => void lines.push(line) }
}

test('the command that gives an administrator a password is whole, and acts on no terminal', async (t) => {
  const lastLine = async (...users: object[]) => {
    const { folder, at } = importFolder(t, { records: { users } })
    const { text } = await runImportWith({ bcrypt }, folder, ...argv, '--database', 'a b.json')
    return text
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.replace(`'${at('a b.json')}'`, 'STATE')
  }
  const told = 'No administrator can sign in. Before the start, this gives a password: holdall --database STATE --reset-password'
  assert.equal(await lastLine(storedAdmin({ password: 'none', username: "Anna's" })), `${told} 'Anna'\\''s'`)
  for (const username of ['\u001b[2J', '-x', 'a\u202eb'])
    assert.equal(await lastLine(storedAdmin({ password: known, username })), `${told} NAME`)
  const other = storedAdmin({ id: 2, username: 'root' })
  assert.match((await lastLine(storedAdmin({ password: known }), other)) ?? '', /^All of it is in/)
})

test('passwords that would take long to try are counted, those of administrators being tried first', async (t) => {
  const costly = `$2a$14$${'a'.repeat(48)}known`
  const administrators = Array.from({ length: 12 }, (_, index) =>
    storedAdmin({ id: index + 5, username: `a${index}`, password: costly }),
  )
  const users = [
    storedUser({ id: 3, password: costly }),
    storedUser({ id: 4, username: 'eve', password: costly }),
    ...administrators,
  ]
  const { folder, at } = importFolder(t, { records: { users, lastId: 20 } })
  const { text } = await runImportWith({ bcrypt }, folder, ...argv)
  assert.match(text, /passwords: 2 of them were not tried with "admin": it takes too long/)
  assert.deepEqual(
    stateIn(at).users.map(({ password }) => password),
    [costly, costly, ...administrators.map(() => '')],
  )
})

test('passwords of bcrypt whose checks take long are told', async (t) => {
  const ofCost = (cost: number) => `$2a$${cost}$${'b'.repeat(53)}`
  const links = [{ hash: 'aaaaaaa1', path: '/f', userID: 2, expire: 0, password_hash: ofCost(13) }]
  const textOf = async (cost: number) => {
    const users = [storedAdmin(), storedUser({ password: ofCost(cost) })]
    const { folder } = importFolder(t, { files: ['/bob/f'], records: { users, links } })
    return (await runImport(folder, ...argv, '--dry-run')).text
  }
  const text = await textOf(14)
  assert.match(
    text,
    /user "bob": has a password of bcrypt with cost 14: until its owner signs in or it is changed, each failed sign-in of anybody takes 16/,
  )
  assert.match(
    text,
    /link "aaaaaaa1": has a password of bcrypt with cost 13: until it is changed, each wrong password of a link takes 8/,
  )
  assert.doesNotMatch(await textOf(12), /user "bob": has/)
})
