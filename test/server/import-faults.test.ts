// What an import says of what cannot be read or written: what it is, and what to do.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { readMeta } from '../../src-server/import/bolt-meta.ts'
import { makePlan } from '../../src-server/import/plan.ts'
import { readSource } from '../../src-server/import/read-source.ts'
import { bytesIn, openFault } from '../../src-server/import/source-file.ts'
import { sealMeta } from '../support/bolt-writer.ts'
import { failing } from '../support/failing-system.ts'
import { databaseOf, storedAdmin } from '../support/file-browser.ts'
import { importFolder, runImport, runImportWith } from '../support/import-folder.ts'
import { memoryFacts } from '../support/memory-facts.ts'

const argv = ['filebrowser.db', '--root', 'root']

for (const [code, advice] of [
  [
    'EACCES',
    `: user ${process.geteuid?.()}, as whom this runs, needs the right to write it, or name a state elsewhere with --database`,
  ],
  ['EROFS', ': it is on a disk that can only be read: name a state elsewhere with --database'],
  ['ENOSPC', ': make room on its disk'],
  ['EIO', ''],
] as const)
  test(`a folder of the state that cannot be written (${code}) is named, with what to do`, async (t) => {
    const { folder } = importFolder(t, { records: { users: [storedAdmin()] } })
    const { system, arm } = failing()
    arm('open', code)
    await assert.rejects(runImportWith({ system }, folder, ...argv), {
      name: 'StartupError',
      message: `Nothing was imported: the folder of the state, ${folder}, cannot be written (${code})${advice}.`,
    })
    assert.deepEqual(readdirSync(folder).toSorted(), ['filebrowser.db', 'root'])
  })

test('a state that cannot be read says why', async (t) => {
  const { folder, at } = importFolder(t, { records: { users: [storedAdmin()] } })
  for (const [text, reason] of [
    ['', 'is empty'],
    ['{', 'is not JSON'],
    ['{"schema":9999}', 'was written by a newer version \\(schema 9999, .*\\)'],
  ] as const) {
    writeFileSync(at('holdall.json'), text)
    const message = new RegExp(
      `^StartupError: The state .*/holdall\\.json ${reason}: mend that, or name another file with --database\\.$`,
    )
    await assert.rejects(runImport(folder, ...argv), message)
  }
})

test('a database that cannot be opened says what to do', () => {
  assert.match(openFault('EACCES').message, /^cannot be read: give user \d+, as whom this runs, the right to read it$/)
  assert.match(openFault('EPERM').message, /the right to read it$/)
  assert.equal(openFault('ENOENT').message, 'does not exist')
  assert.equal(openFault('EMFILE').message, 'cannot be opened (EMFILE)')
})

test('a number of a page that none can have is not printed', () => {
  const file = databaseOf({})
  const { pageSize } = readMeta(bytesIn(file))
  for (const number of [0, 1]) {
    const page = file.subarray(number * pageSize, number * pageSize + 80)
    page.writeBigUInt64LE(2n ** 63n, 32)
    sealMeta(page)
  }
  assert.throws(() => readSource(bytesIn(file)), /^Error: is damaged: a page has a number that none can have$/)
})

test('a link without a password asks for none, whatever its token', async () => {
  const links = [
    { hash: 'aaaaaaa1', path: '/f', userID: 1, expire: 0, token: 'left' },
    { hash: 'aaaaaaa2', path: '/f', userID: 1, expire: 0, token: 'left', password_hash: `$2a$10$${'c'.repeat(53)}` },
  ]
  const plan = await makePlan(readSource(bytesIn(databaseOf({ users: [storedAdmin()], links }))), {
    facts: memoryFacts(['/f']),
    answers: { keepExecute: false, hasWholeNames: false, scopes: undefined, unusable: undefined },
    now: 1_795_900_000,
  })
  assert.equal(plan.links.length, 2)
  const said = plan.notes.filter(({ text }) => text.includes('?token='))
  assert.deepEqual(
    said.map(({ about, text }) => `${about}: ${text}`),
    ['the link "aaaaaaa2": addresses that end with ?token= ask for the password now'],
  )
})
