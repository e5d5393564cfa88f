// A start in the place of File Browser: what stands there is named, or brought over, and its database is never written.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { StartupError } from '../../src-server/base/startup-error.ts'
import { meetFileBrowser } from '../../src-server/file-browser-start.ts'
import { stateFor } from '../../src-server/options/bolt-beside.ts'
import { findPlaces } from '../../src-server/options/file-browser-places.ts'
import { databaseOf, storedAdmin, storedServer, storedSettings, storedUser } from '../support/file-browser.ts'
import { importFolder } from '../support/import-folder.ts'
import { makeStartFolder, read } from '../support/read-start.ts'
import { ended, findProgram, startProgram } from '../support/server-program.ts'
import { until } from '../support/until.ts'

const database = () => databaseOf({ users: [storedAdmin(), storedUser()], settings: storedSettings() })

/** A folder to start from, with these files: the paths of another top folder begin with `top`. */
function placed(t: TestContext, files: Readonly<Record<string, string | Buffer>>) {
  const folder = makeStartFolder(t)
  const at = (path: string) => join(folder, path)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), content)
  }
  const places = { folder, home: at('home'), named: [], top: at('top') }
  return { folder, at, places }
}

const named = '{"port": 80, "baseURL": "", "database": "top/database/filebrowser.db"}'
const places: readonly Readonly<{ files: Record<string, string>; databases?: string[]; configs?: string[] }>[] = [
  { files: {} },
  { files: { 'filebrowser.db': 'x' }, databases: ['filebrowser.db'] },
  { files: { 'top/database/filebrowser.db': 'x' }, databases: ['top/database/filebrowser.db'] },
  { files: { 'top/database.db': 'x' }, databases: ['top/database.db'] },
  { files: { 'top/config/settings.json': '{"root": "/srv"}' }, configs: ['top/config/settings.json'] },
  ...['json', 'toml', 'yaml', 'yml'].flatMap((kind) =>
    ['', 'home/', 'top/etc/filebrowser/'].map((place) => ({
      files: { [`${place}.filebrowser.${kind}`]: 'port: 80' },
      configs: [`${place}.filebrowser.${kind}`],
    })),
  ),
  ...[named, 'port: 80\ndatabase: top/database/filebrowser.db # here\n', "database = 'top/database/filebrowser.db'\n"].map(
    (text) => ({
      files: { '.filebrowser.json': text, 'top/database/filebrowser.db': 'x' },
      databases: ['top/database/filebrowser.db'],
      configs: ['.filebrowser.json'],
    }),
  ),
  { files: { '.filebrowser.json': '{"database": "gone.db"}' }, configs: ['.filebrowser.json'] },
  { files: { 'filebrowser.db': 'x', 'top/database.db': 'x' }, databases: ['filebrowser.db', 'top/database.db'] },
]

for (const { files, databases = [], configs = [] } of places)
  test(`of ${Object.entries(files).flat().join(' ') || 'nothing'}, what is of File Browser is found`, (t) => {
    const { at, places: where } = placed(t, files)
    assert.deepEqual(findPlaces(where), { databases: databases.map(at), configs: configs.map(at) })
  })

const meet = (where: ReturnType<typeof placed>, ...argv: string[]) => {
  let text = ''
  const print = (part: string) => {
    text += part
  }
  const options = read(where.folder, ['--root', 'files', '--database', 'state.json', ...argv])
  return meetFileBrowser({ ...where.places, options, print }).then((met) => ({ ...met, text }))
}

test('without a state one line says what to type', async (t) => {
  const where = placed(t, { 'filebrowser.db': database() })
  const { sentences, hasImported } = await meet(where)
  const typed = `holdall import ${where.at('filebrowser.db')} --root ${where.at('files')} --database ${where.at('state.json')} --replace`
  assert.deepEqual([sentences.length, hasImported, existsSync(where.at('state.json'))], [1, false, false])
  assert.ok(sentences[0]?.includes(typed), sentences[0])
})

test('options of File Browser alone are named, too', async (t) => {
  const where = placed(t, { 'home/.filebrowser.yaml': 'port: 80' })
  const [sentence = '', ...more] = (await meet(where)).sentences
  assert.match(sentence, /\/home\/\.filebrowser\.yaml shows: stop this server, and holdall import FILE --root /)
  assert.deepEqual([more, (await meet(placed(t, {}))).sentences], [[], []])
})

test('--import-on-start brings what is there over, with the options for the server', async (t) => {
  const where = placed(t, {
    'filebrowser.db': databaseOf({ users: [storedAdmin()], server: storedServer({ port: '8099', baseURL: '/fb' }) }),
  })
  const before = [readFileSync(where.at('filebrowser.db')), statSync(where.at('filebrowser.db')).mtimeMs]
  const { hasImported, text } = await meet(where, '--import-on-start')
  assert.equal(hasImported, true)
  assert.match(text, /^What comes\n {2}1 user \("admin"\)[\s\S]*\nAll of it is in .*state\.json\.\n/)
  assert.deepEqual([readFileSync(where.at('filebrowser.db')), statSync(where.at('filebrowser.db')).mtimeMs], before)
  const start = ['--root', 'files', '--database', 'state.json']
  const { port, baseURL, configFile } = read(where.folder, [...start, '--import-on-start'])
  assert.deepEqual([port, baseURL, configFile], [8099, '/fb', where.at('state.json.config.json')])
  assert.equal(read(where.folder, [...start, '--import-on-start', '--port', '1']).port, 1)
  assert.equal(read(where.folder, start).port, 8080, 'the file counts only with the option')
})

const stops: readonly Readonly<{ name: string; files: Record<string, string | Buffer>; says: RegExp }>[] = [
  { name: 'nothing', files: {}, says: /finds no database of File Browser: name it/ },
  {
    name: 'options alone',
    files: { '.filebrowser.json': '{}' },
    says: /, nor does .*\.filebrowser\.json name one that is there: /,
  },
  {
    name: 'two databases',
    files: { 'filebrowser.db': database(), 'top/database.db': database() },
    says: /cannot tell which .*filebrowser\.db and .*database\.db: /,
  },
  { name: 'a database that is none', files: { 'filebrowser.db': 'text' }, says: /filebrowser\.db is neither a database/ },
  {
    name: 'options of another state',
    files: { 'filebrowser.db': database(), 'state.json.config.json': '{}' },
    says: /^Nothing was imported: .*state\.json\.config\.json, .* is of another state: move it away\.$/,
  },
  {
    name: 'what must be answered first',
    files: {
      'filebrowser.db': databaseOf({
        users: [storedAdmin({ rules: [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }] })],
      }),
    },
    says: /^Nothing was imported, and no server starts: answer what is asked above with holdall import /,
  },
]

for (const { name, files, says } of stops)
  test(`--import-on-start with ${name} ends without a state`, async (t) => {
    const where = placed(t, files)
    await assert.rejects(meet(where, '--import-on-start'), (error) => error instanceof StartupError && says.test(error.message))
    assert.ok(!existsSync(where.at('state.json')))
  })

test('--import-on-start needs the folder that was served', (t) => {
  const folder = makeStartFolder(t)
  assert.throws(() => read(folder, ['--import-on-start']), /^StartupError: --import-on-start needs --root/)
  assert.equal(read(folder, [], { HOLDALL_IMPORT_ON_START: 'true', FB_ROOT: 'files' }).importOnStart, true)
})

test('a state that is named by a database of File Browser stands beside it, also when that one is gone', (t) => {
  const { folder, at } = placed(t, { 'filebrowser.db': database(), 'data.v2.db': database(), 'other.json': '{}' })
  const state = (...argv: string[]) => read(folder, argv).database
  assert.equal(state('--database', 'filebrowser.db'), at('filebrowser.holdall.json'))
  assert.equal(state('-d', 'data.v2.db'), at('data.v2.holdall.json'))
  assert.equal(read(folder, [], { FB_DATABASE: 'filebrowser.db' }).database, at('filebrowser.holdall.json'))
  assert.deepEqual(read(folder, ['--database', 'filebrowser.db']).oldDatabases, [at('filebrowser.db')])
  for (const name of ['other.json', 'none.db']) assert.equal(state('--database', name), at(name))
  writeFileSync(at('filebrowser.holdall.json'), '{}')
  rmSync(at('filebrowser.db'))
  assert.equal(state('--database', 'filebrowser.db'), at('filebrowser.holdall.json'))
})

test('a database is known by either of its meta pages, with pages of any size', (t) => {
  const { at } = placed(t, {})
  const file = { value: at('x.db'), from: '--database' }
  for (const pageSize of [1024, 4096, 65_536])
    for (const damaged of [undefined, 0, pageSize]) {
      const bytes = databaseOf({ users: [storedAdmin()] }, { pageSize })
      if (damaged !== undefined) bytes.fill(0, damaged, damaged + 64)
      writeFileSync(file.value, bytes)
      assert.equal(stateFor(file), at('x.holdall.json'), `${pageSize} ${damaged}`)
    }
})

test('a database that is mounted alone is one sentence: a state beside it would go with the container', (t) => {
  const { folder, at } = placed(t, { 'data base.db': database() })
  const file = { value: at('data base.db'), from: 'FB_DATABASE' }
  const mounts = (point: string) => () => `36 35 98:0 / / rw - ext4 x rw\n40 36 98:1 /x ${point} rw - ext4 y rw\n`
  assert.equal(stateFor(file, mounts(folder)), at('data base.holdall.json'))
  assert.throws(
    () => stateFor(file, mounts(`${folder}/data\\040base.db`)),
    /^StartupError: FB_DATABASE .*data base\.db is a file that is mounted alone, .* with --database \/data\/holdall\.json\.$/,
  )
})

test('the program starts with what it has brought over, ignores the option from then on, and logs to a file', async (t) => {
  const { folder, at } = importFolder(t, {
    files: ['/bob/a'],
    records: { users: [storedAdmin()], server: storedServer({ baseURL: '/fb' }) },
  })
  const program = await findProgram()
  const args = ['-r', 'root', '-d', 'filebrowser.db', '--import-on-start', '--log', 'fb.log']
  const start = () => startProgram(t, { program, folder, listen: ['--port', '0'], args })
  const before = readFileSync(at('filebrowser.db'))
  const first = start()
  const lines = ended(first)
  await until(() => logged().includes('counts as --root'), 'the first start')
  first.kill()
  const { output } = await lines
  assert.match(output, /What comes\n {2}1 user[\s\S]*\nHoldall serves .*\/root at http:\/\/127\.0\.0\.1:\d+\/fb\/?\n/)
  const second = start()
  const later = ended(second)
  await until(() => logged().includes('is ignored'), 'the second start')
  second.kill()
  assert.doesNotMatch((await later).output, /What comes/)
  assert.match(logged(), /--import-on-start is ignored, as there is a state: .*filebrowser\.holdall\.json\./)
  assert.deepEqual(readFileSync(at('filebrowser.db')), before)

  function logged() {
    return existsSync(at('fb.log')) ? readFileSync(at('fb.log'), 'utf8') : ''
  }
})

test('an import that fails ends the program with 2, and no server', async (t) => {
  const { folder, at } = importFolder(t)
  writeFileSync(at('filebrowser.db'), 'text')
  const child = startProgram(t, { program: await findProgram(), folder, args: ['--import-on-start'] })
  const { code, errors } = await ended(child)
  assert.deepEqual([code, existsSync(at('holdall.json'))], [2, false])
  assert.match(errors, /^holdall: .*filebrowser\.db is neither a database of File Browser nor an export of it/)
})
