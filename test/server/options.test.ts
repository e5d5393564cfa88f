import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { optionRows, variableOf } from '../../src-server/options/option-table.ts'
import type { Options } from '../../src-server/options/options.ts'
import { certificates, makeStartFolder, read, start } from '../support/read-start.ts'

test('without flags it serves the current folder, on the loopback address alone', (t) => {
  const folder = makeStartFolder(t)
  assert.deepEqual(read(folder), {
    root: folder,
    makesRoot: false,
    isRootNamed: false,
    address: '127.0.0.1',
    port: 8080,
    baseURL: '',
    database: join(folder, 'bin/holdall.json'),
    cacheDir: join(folder, 'bin/holdall.json.cache'),
    linksInto: [],
    hosts: [],
    trustedProxies: [],
    logLevel: 'info',
    logFormat: 'json',
    tokenLifetime: 7200,
    linkPasswordLength: 8,
    historyActs: 100,
    historyDays: 30,
    hsts: false,
    trash: true,
    thumbnails: true,
    resizePreview: true,
    enableExec: false,
    execUnconfined: false,
    authMethod: 'json',
    warnings: [],
  })
})

test('run from source, the state is in the project, and from its folder `files` is served', (t) => {
  const folder = makeStartFolder(t)
  const project = join(folder, 'bin')
  const elsewhere = read(folder, [], { INIT_CWD: folder }, { location: { project }, cwd: project })
  assert.deepEqual([elsewhere.root, elsewhere.makesRoot, elsewhere.database], [folder, false, join(project, 'holdall.json')])
  const inside = read(folder, [], { INIT_CWD: project }, { location: { project }, cwd: project })
  assert.deepEqual([inside.root, inside.makesRoot], [join(project, 'files'), true])
  const named = read(folder, ['--root', '.'], { INIT_CWD: project }, { location: { project }, cwd: project })
  assert.deepEqual([named.root, named.makesRoot], [project, false])
})

test('a root is named by a flag, a variable of ours or of File Browser, or the file of options', (t) => {
  const folder = makeStartFolder(t)
  writeFileSync(join(folder, 'options.json'), '{ "root": "." }')
  const named = [read(folder, []), read(folder, ['--root', '.']), read(folder, ['--config', 'options.json'])]
  const byVariables = ['HOLDALL_ROOT', 'FB_ROOT'].map((name) => read(folder, [], { [name]: '.' }))
  assert.deepEqual(
    [...named, ...byVariables].map(({ isRootNamed }) => isRootNamed),
    [false, true, true, true, true],
  )
})

const flags: { argv: string[]; expected: Partial<Options> }[] = [
  { argv: ['--port', '0'], expected: { port: 0 } },
  { argv: ['--port=65535'], expected: { port: 65_535 } },
  { argv: ['--port', '1', '--port', '2'], expected: { port: 2 } },
  { argv: ['--address', '::1'], expected: { address: '::1' } },
  { argv: ['--address', 'files.lan'], expected: { address: 'files.lan' } },
  { argv: ['--baseurl', '/'], expected: { baseURL: '' } },
  { argv: ['--baseurl', '/a/b-c_d.e~f/'], expected: { baseURL: '/a/b-c_d.e~f' } },
  { argv: ['--log', 'silent'], expected: { logLevel: 'silent' } },
  { argv: ['--log-format', 'pretty'], expected: { logFormat: 'pretty' } },
  { argv: ['--token-lifetime', '30m'], expected: { tokenLifetime: 1800 } },
  { argv: ['--token-lifetime', '1h30m'], expected: { tokenLifetime: 5400 } },
  { argv: ['--token-lifetime', '30d'], expected: { tokenLifetime: 2_592_000 } },
  { argv: ['--token-lifetime', '90s'], expected: { tokenLifetime: 90 } },
  { argv: ['--noauth'], expected: { authMethod: 'noauth' } },
  { argv: ['--hsts'], expected: { hsts: true } },
  { argv: ['--no-trash'], expected: { trash: false } },
  { argv: ['--no-thumbnails'], expected: { thumbnails: false, resizePreview: true } },
  { argv: ['--no-resize-preview'], expected: { thumbnails: true, resizePreview: false } },
  { argv: ['--noauth', '--noauth=false'], expected: { authMethod: 'json' } },
  { argv: ['--host', 'Files.LAN', '--host', 'b'], expected: { hosts: ['files.lan', 'b'] } },
  {
    argv: ['--trusted-proxy', '10.0.0.0/8', '--trusted-proxy', 'unix', '--trusted-proxy', 'fe80::/10'],
    expected: { trustedProxies: ['10.0.0.0/8', 'unix', 'fe80::/10'] },
  },
  {
    argv: ['--auth-header', 'X-Remote-User', '--trusted-proxy', '::1'],
    expected: { authMethod: 'proxy', authHeader: 'x-remote-user', trustedProxies: ['::1'] },
  },
]

for (const { argv, expected } of flags) {
  test(`${argv.join(' ')} is understood`, (t) => {
    const folder = makeStartFolder(t)
    const options = read(folder, argv)
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(options[name as keyof Options], value)
  })
}

test('on a terminal the log is pretty unless set otherwise', (t) => {
  const folder = makeStartFolder(t)
  assert.equal(read(folder, [], {}, { isTerminal: true }).logFormat, 'pretty')
  assert.equal(read(folder, ['--log-format', 'json'], {}, { isTerminal: true }).logFormat, 'json')
})

test('paths are relative to the folder of the caller, also under npm', (t) => {
  const folder = makeStartFolder(t)
  mkdirSync(join(folder, 'person/data'), { recursive: true })
  writeFileSync(join(folder, 'person/my.json'), '{"port": 1234}')
  const argv = ['--root', 'data', '--database', 'data/s.json', '--cache-dir', './c', '--socket', 's', '--config', 'my.json']
  const env = { INIT_CWD: join(folder, 'person') }
  const options = read(folder, [...argv, '--links-into', '../files', '--admin-password-file', 'p'], env)
  assert.equal(options.root, join(folder, 'person/data'))
  assert.equal(options.database, join(folder, 'person/data/s.json'))
  assert.equal(options.cacheDir, join(folder, 'person/c'))
  assert.equal(options.socket, join(folder, 'person/s'))
  assert.equal(options.configFile, join(folder, 'person/my.json'))
  assert.equal(options.adminPasswordFile, join(folder, 'person/p'))
  assert.deepEqual(options.linksInto, [join(folder, 'files')])
  assert.equal(options.port, 1234)
})

test('a flag overrides a variable, a variable the file, the file the default', (t) => {
  const folder = makeStartFolder(t)
  writeFileSync(
    join(folder, 'c.json'),
    JSON.stringify({ port: 1, address: '127.0.0.3', log: 'debug', host: ['a', 'b'], noauth: true }),
  )
  const env = { HOLDALL_PORT: '2', HOLDALL_ADDRESS: '127.0.0.2', HOLDALL_CONFIG: 'c.json', HOLDALL_NOAUTH: 'false' }
  const options = read(folder, ['--port', '3'], env)
  assert.deepEqual([options.port, options.address, options.logLevel, options.authMethod], [3, '127.0.0.2', 'debug', 'json'])
  assert.deepEqual(options.hosts, ['a', 'b'])
  assert.deepEqual(read(folder, ['--host', 'c'], env).hosts, ['c'], 'a list is replaced, not joined')
  assert.deepEqual(read(folder, [], { ...env, HOLDALL_HOST: 'd, e,' }).hosts, ['d', 'e'])
  assert.equal(read(folder, [], { HOLDALL_PORT: '' }).port, 8080, 'an empty variable says nothing')
})

test('every option except those that end at once, or count once, can be set by a variable and, except config, in the file', (t) => {
  const folder = makeStartFolder(t)
  const { cert, key } = certificates(folder)
  const values: Record<string, string> = {
    root: 'files',
    address: '127.0.0.9',
    port: '9',
    baseurl: '/x',
    cert,
    key,
    database: 'd.json',
    'cache-dir': 'c',
    'admin-password-file': 'p',
    'links-into': 'files',
    'audit-log': 'a.log',
    host: 'h',
    'trusted-proxy': 'unix',
    log: 'warn',
    'log-format': 'pretty',
    'token-lifetime': '5m',
    'link-password-length': '12',
    'history-acts': '200',
    'history-days': '90',
    'auth-header': 'X-User',
  }
  const aside = [
    'config',
    'help',
    'version',
    'self-test',
    'health',
    'reset-password',
    'root-moved',
    'licenses',
    'noauth',
    'socket',
    'hsts',
    'no-trash',
    'no-thumbnails',
    'no-resize-preview',
    'enable-exec',
    'exec-unconfined',
    // Of File Browser: in file-browser-options.test.ts and file-browser-start.test.ts.
    ...['import-on-start', 'username', 'password'],
    // In captcha-options.test.ts: each reading has a function of its own.
    ...['captcha-key', 'captcha-secret-file', 'captcha-host'],
  ]
  assert.deepEqual(
    optionRows.map(({ name }) => name).filter((name) => !aside.includes(name)),
    Object.keys(values),
  )
  writeFileSync(join(folder, 'c.json'), JSON.stringify(values))
  const fromFile = read(folder, ['--config', 'c.json'])
  const env = Object.fromEntries(optionRows.map((row) => [variableOf(row) ?? '', values[row.name]]))
  const fromEnv = read(folder, [], env)
  const fromFlags = read(
    folder,
    Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]),
  )
  assert.deepEqual({ ...fromFile, configFile: undefined }, { ...fromFlags, configFile: undefined })
  assert.deepEqual(fromEnv, fromFlags)
  assert.deepEqual(fromFlags.tls, { cert, key })
})

test('a number that is too small, too large or none is refused with what is right', (t) => {
  const folder = makeStartFolder(t)
  for (const [flag, value, advice] of [
    ['link-password-length', '3', 'is not a length of passwords: it must be a number from 4 to 128'],
    ['history-acts', '0', 'is not a number of acts: it must be a number from 1 to 1000'],
    ['history-acts', '1001', 'is not a number of acts: it must be a number from 1 to 1000'],
    ['history-days', '1e2', 'is not a number of days: it must be a number from 1 to 3650'],
  ] as const)
    assert.throws(() => read(folder, [`--${flag}`, value]), { message: new RegExp(advice) })
})

test('previews are switched off by a variable and in the file too', (t) => {
  const folder = makeStartFolder(t)
  writeFileSync(join(folder, 'c.json'), '{"no-resize-preview": true}')
  const { thumbnails, resizePreview } = read(folder, ['--config', 'c.json'], { HOLDALL_NO_THUMBNAILS: 'true' })
  assert.deepEqual([thumbnails, resizePreview], [false, false])
})

test('options cannot be changed', (t) => {
  const folder = makeStartFolder(t)
  const options = read(folder) as { -readonly [K in keyof Options]: Options[K] }
  assert.throws(() => {
    options.port = 1
  }, TypeError)
  assert.throws(() => (options.hosts as string[]).push('x'), TypeError)
})

test('an unknown variable is a warning that names the nearest', (t) => {
  const folder = makeStartFolder(t)
  const { warnings } = read(folder, [], { HOLDALL_DATABSE: 'x', HOLDALL_WEATHER: 'x', PATH: '/bin' })
  assert.deepEqual(warnings, [
    'There is no variable HOLDALL_DATABSE: did you mean HOLDALL_DATABASE?',
    'There is no variable HOLDALL_WEATHER: --help lists them all.',
  ])
})

test('noauth on an address that is reachable from other machines is a warning', (t) => {
  const folder = makeStartFolder(t)
  const warned = (...argv: string[]) => read(folder, ['--noauth', ...argv]).warnings.length
  assert.deepEqual(read(folder, ['--noauth', '--address', '0.0.0.0']).warnings, [
    'With --noauth everybody who reaches 0.0.0.0 is the administrator.',
  ])
  assert.equal(warned('--address', '::'), 1)
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) assert.equal(warned('--address', address), 0, address)
  assert.equal(warned('--socket', 's'), 0)
})

test('help and version are shown whatever else is invalid, and write nothing', (t) => {
  const folder = makeStartFolder(t)
  const before = names(folder)
  for (const flag of ['--help', '-h']) {
    const result = start(folder, ['--root', 'none', flag])
    assert.ok(result.kind === 'print')
    for (const row of optionRows) assert.ok(result.text.includes(`--${row.name}`), row.name)
    assert.ok(result.text.includes('HOLDALL_ADMIN_PASSWORD'))
    assert.ok(result.text.split('\n').every((line) => line.length <= 160))
  }
  assert.deepEqual(start(folder, ['--version', '--port', 'x']), { kind: 'print', text: 'holdall 1.2.3\n' })
  assert.deepEqual(start(folder, ['--self-test']), { kind: 'self-test' })
  assert.deepEqual(start(folder, ['--licenses']), { kind: 'licenses' })
  assert.deepEqual(names(folder), before)
})

function names(folder: string) {
  return readdirSync(folder, { recursive: true }).sort()
}
