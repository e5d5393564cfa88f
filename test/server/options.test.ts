import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { StartupProblem } from '../../src-server/base/startup-problem.ts'
import { firstPassword } from '../../src-server/options/first-password.ts'
import { optionRows, variableOf } from '../../src-server/options/option-table.ts'
import type { Options } from '../../src-server/options/options.ts'
import { clearSocket, openSocketToGroup, prepareFolders } from '../../src-server/options/places.ts'
import { readOptions, type StartContext } from '../../src-server/options/read-options.ts'
import { localhost, stranger } from '../support/certificates.ts'
import { temporaryFolder } from '../support/start-state.ts'

type Env = Record<string, string | undefined>

/** A folder to start from, with a folder `files`, a file `file` and, when asked for, certificates. */
function place(t: TestContext) {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'files'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'file'), 'text')
  return folder
}

function start(folder: string, argv: readonly string[] = [], env: Env = {}, more: Partial<StartContext> = {}) {
  const executable = join(folder, 'bin/holdall')
  return readOptions({ argv, env, cwd: folder, place: { executable }, version: '1.2.3', ...more })
}

function read(folder: string, argv: readonly string[] = [], env: Env = {}, more: Partial<StartContext> = {}): Options {
  const result = start(folder, argv, env, more)
  assert.ok(result.kind === 'serve')
  return result.options
}

function names(folder: string) {
  return readdirSync(folder, { recursive: true }).sort()
}

test('without flags it serves the folder it was called from, to this machine alone', (t) => {
  const folder = place(t)
  assert.deepEqual(read(folder), {
    root: folder,
    makesRoot: false,
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
    authMethod: 'json',
    warnings: [],
  })
})

test('from source the state lies in the project, and called from there it serves `files`', (t) => {
  const folder = place(t)
  const project = join(folder, 'bin')
  const elsewhere = read(folder, [], { INIT_CWD: folder }, { place: { project }, cwd: project })
  assert.deepEqual([elsewhere.root, elsewhere.makesRoot, elsewhere.database], [folder, false, join(project, 'holdall.json')])
  const inside = read(folder, [], { INIT_CWD: project }, { place: { project }, cwd: project })
  assert.deepEqual([inside.root, inside.makesRoot], [join(project, 'files'), true])
  const named = read(folder, ['--root', '.'], { INIT_CWD: project }, { place: { project }, cwd: project })
  assert.deepEqual([named.root, named.makesRoot], [project, false])
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
    const folder = place(t)
    const options = read(folder, argv)
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(options[name as keyof Options], value)
  })
}

test('a terminal gets a pretty log unless it is told otherwise', (t) => {
  const folder = place(t)
  assert.equal(read(folder, [], {}, { isTerminal: true }).logFormat, 'pretty')
  assert.equal(read(folder, ['--log-format', 'json'], {}, { isTerminal: true }).logFormat, 'json')
})

test('paths are taken from the folder of the person, also under npm', (t) => {
  const folder = place(t)
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

test('a flag counts before a variable, a variable before the file, the file before what is usual', (t) => {
  const folder = place(t)
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

test('every option but help, version and self-test can stand in a variable and, but for config, in the file', (t) => {
  const folder = place(t)
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
    host: 'h',
    'trusted-proxy': 'unix',
    log: 'warn',
    'log-format': 'pretty',
    'token-lifetime': '5m',
    'auth-header': 'X-User',
  }
  const aside = ['config', 'help', 'version', 'self-test', 'noauth', 'socket']
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

test('options cannot be changed', (t) => {
  const folder = place(t)
  const options = read(folder) as { -readonly [K in keyof Options]: Options[K] }
  assert.throws(() => {
    options.port = 1
  }, TypeError)
  assert.throws(() => (options.hosts as string[]).push('x'), TypeError)
})

function certificates(folder: string) {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(cert, localhost.cert)
  writeFileSync(key, localhost.key)
  writeFileSync(join(folder, 'other-key.pem'), stranger.key)
  return { cert, key }
}

type BadCase = { name: string; argv?: string[]; env?: Env; file?: unknown; says: RegExp }

const bad: BadCase[] = [
  { name: 'an unknown flag', argv: ['--prot', '80'], says: /^There is no option --prot: did you mean --port\?$/ },
  { name: 'an unknown flag with a value', argv: ['--databse=x'], says: /--databse: did you mean --database\?/ },
  { name: 'a flag like no other', argv: ['--xyzzy'], says: /no option --xyzzy: --help lists them all\./ },
  { name: 'an unknown letter', argv: ['-x'], says: /no option -x/ },
  { name: 'a bare word', argv: ['/srv'], says: /^"\/srv" is not an option: write holdall --root DIR\.$/ },
  {
    name: 'a bare word under npm',
    argv: ['/srv'],
    env: { npm_lifecycle_event: 'start' },
    says: /write npm start -- --root DIR\.$/,
  },
  { name: 'a bare word under npm run', argv: ['x'], env: { npm_lifecycle_event: 'dev' }, says: /npm run dev -- --root DIR/ },
  { name: 'a bare word after --', argv: ['--', 'x'], says: /"x" is not an option/ },
  { name: 'a flag without its value', argv: ['--port'], says: /^--port needs a value: --port PORT\.$/ },
  { name: 'a flag whose value was forgotten', argv: ['--port', '--root', 'files'], says: /^--port needs a value/ },
  { name: 'an empty value', argv: ['--root='], says: /^--root needs a value: --root DIR\.$/ },
  { name: 'a switch with a value', argv: ['--noauth=yes'], says: /^--noauth takes no value/ },
  { name: 'help with a value', argv: ['--help=false'], says: /^--help takes no value/ },
  ...['abc', '-1', '65536', '80.5', '0x50', '1e3', ' 80', '99999999'].map((value) => ({
    name: `port "${value}"`,
    argv: [`--port=${value}`],
    says: /^--port .* is not a port: it must be a number from 0 to 65535\.$/,
  })),
  { name: 'a bad port in the environment', env: { HOLDALL_PORT: 'http' }, says: /^HOLDALL_PORT http is not a port/ },
  { name: 'a bad port in the file', file: { port: 70_000 }, says: /^"port" in .*c\.json 70000 is not a port/ },
  { name: 'a root that is missing', argv: ['--root', 'none'], says: /^--root .*none does not exist: name a folder that does\.$/ },
  { name: 'a root that is a file', argv: ['--root', 'file'], says: /^--root .*file is not a folder: name the folder\.$/ },
  { name: 'a root in the environment that is a file', env: { HOLDALL_ROOT: 'file' }, says: /^HOLDALL_ROOT .* is not a folder/ },
  { name: 'a root below a file', argv: ['--root', 'file/x'], says: /^--root .*file\/x/ },
  { name: 'an address with a port', argv: ['--address', '0.0.0.0:80'], says: /^--address .* is not an address/ },
  { name: 'an address in brackets', argv: ['--address', '[::1]'], says: /^--address .*without brackets/ },
  { name: 'a base URL that is an address', argv: ['--baseurl', 'https://x/y'], says: /^--baseurl .* one such as \/files/ },
  { name: 'a base URL without its slash', argv: ['--baseurl', 'files'], says: /^--baseurl files is not a path/ },
  ...['/a//b', '/a/../b', '/a b', '/a%20b', '/a?b', '/a;b', '/.'].map((value) => ({
    name: `base URL ${value}`,
    argv: ['--baseurl', value],
    says: /^--baseurl .* is not a path/,
  })),
  { name: 'a certificate without key', argv: ['--cert', 'cert.pem'], says: /^--cert needs --key/ },
  { name: 'a key without certificate', argv: ['--key', 'key.pem'], says: /^--key needs --cert/ },
  {
    name: 'a missing certificate',
    argv: ['--cert', 'none', '--key', 'key.pem'],
    says: /^--cert .*none cannot be read \(ENOENT\)/,
  },
  { name: 'a missing key', argv: ['--cert', 'cert.pem', '--key', 'none'], says: /^--key .*none cannot be read \(ENOENT\)/ },
  {
    name: 'a certificate that is none',
    argv: ['--cert', 'file', '--key', 'key.pem'],
    says: /^--cert .* does not hold a certificate/,
  },
  { name: 'a key that is none', argv: ['--cert', 'cert.pem', '--key', 'file'], says: /^--key .* does not hold a private key/ },
  {
    name: 'a key of another certificate',
    argv: ['--cert', 'cert.pem', '--key', 'other-key.pem'],
    says: /^--key .*other-key\.pem is not the key of --cert .*cert\.pem/,
  },
  {
    name: 'a state in a missing folder',
    argv: ['--database', 'none/s.json'],
    says: /^--database .* lies in .*none, which is not a folder/,
  },
  { name: 'a state that is a folder', argv: ['--database', 'files'], says: /^--database .*files is not a file/ },
  { name: 'a state that is a device', argv: ['--database', '/dev/null'], says: /^--database \/dev\/null is not a file/ },
  { name: 'a cache in a missing folder', argv: ['--cache-dir', 'none/c'], says: /^--cache-dir .* lies in .*none/ },
  { name: 'a cache that is a file', argv: ['--cache-dir', 'file'], says: /^--cache-dir .*file is not a folder/ },
  { name: 'a socket that is a file', argv: ['--socket', 'file'], says: /^--socket .*file is there already and is no socket/ },
  { name: 'a socket in a missing folder', argv: ['--socket', 'none/s'], says: /^--socket .* lies in .*none/ },
  { name: 'a socket and a port', argv: ['--socket', 's', '--port', '80'], says: /^--socket takes the place of --port/ },
  { name: 'a socket and an address', argv: ['--socket', 's', '--address', '::'], says: /^--socket takes the place of --address/ },
  {
    name: 'links into nowhere',
    argv: ['--links-into', 'files', '--links-into', 'none'],
    says: /^--links-into .*none does not exist/,
  },
  { name: 'a host with a port', argv: ['--host', 'files.lan:80'], says: /^--host .* is not a host name/ },
  ...['10.0.0.0/33', '10.0.0/8', 'proxy.lan', '::1/129', '1.2.3.4/', '1.2.3.4/8/8'].map((value) => ({
    name: `trusted proxy ${value}`,
    argv: ['--trusted-proxy', value],
    says: /^--trusted-proxy .* is not an address/,
  })),
  { name: 'a log level that is none', argv: ['--log', 'loud'], says: /^--log loud .* debug, info, warn, error, silent\.$/ },
  { name: 'a log format that is none', argv: ['--log-format', 'xml'], says: /^--log-format xml .* json, pretty\.$/ },
  ...['2', '2 h', 'h', '0h', '59s', '31d', '-1h', '2h!', '99999999999h'].map((value) => ({
    name: `token lifetime "${value}"`,
    argv: [`--token-lifetime=${value}`],
    says: /^--token-lifetime .*such as 30m or 2h, from 1m to 30d/,
  })),
  {
    name: 'noauth with a header',
    argv: ['--noauth', '--auth-header', 'X-User', '--trusted-proxy', 'unix'],
    says: /^--noauth and --auth-header exclude each other/,
  },
  {
    name: 'noauth with a header from elsewhere',
    argv: ['--auth-header', 'X-User', '--trusted-proxy', 'unix'],
    env: { HOLDALL_NOAUTH: '1' },
    says: /^HOLDALL_NOAUTH and --auth-header exclude each other/,
  },
  { name: 'a header that nobody may send', argv: ['--auth-header', 'X-User'], says: /^--auth-header needs --trusted-proxy/ },
  {
    name: 'a header that is none',
    argv: ['--auth-header', 'X User', '--trusted-proxy', 'unix'],
    says: /^--auth-header .* X-Remote-User/,
  },
  {
    name: 'a switch in the environment',
    env: { HOLDALL_NOAUTH: 'maybe' },
    says: /^HOLDALL_NOAUTH is "maybe": it must be true or false/,
  },
  { name: 'a file that is missing', argv: ['--config', 'none.json'], says: /^--config .*none\.json cannot be read/ },
  {
    name: 'a missing file that a variable names',
    env: { HOLDALL_CONFIG: 'none.json' },
    says: /^HOLDALL_CONFIG .*none\.json cannot be read/,
  },
  { name: 'a file that is not JSON', argv: ['--config', 'file'], says: /^--config .*file is not JSON/ },
  { name: 'a file with a list', file: ['port'], says: /^--config .* must hold one JSON object/ },
  { name: 'an unknown key', file: { prot: 80 }, says: /^There is no option "prot" \(in .*c\.json\): did you mean "port"\?$/ },
  { name: 'a key that only a flag has', file: { help: true }, says: /no option "help"/ },
  { name: 'a file that names another', file: { config: 'd.json' }, says: /no option "config"/ },
  { name: 'a key of Object', file: { constructor: 1 }, says: /no option "constructor"/ },
  { name: 'a switch that is a text', file: { noauth: 'true' }, says: /^"noauth" in .* must be true or false/ },
  { name: 'a text that is a switch', file: { root: true }, says: /^"root" in .* must be a text/ },
  { name: 'a list where one is meant', file: { root: ['files'] }, says: /^"root" in .* must be a text/ },
  { name: 'a list of other things', file: { host: [{}] }, says: /^"host" in .* must be a text/ },
]

for (const { name, argv = [], env = {}, file, says } of bad) {
  test(`${name} is one sentence, and nothing is written`, (t) => {
    const folder = place(t)
    if (argv.some((word) => word.endsWith('.pem'))) certificates(folder)
    if (file !== undefined) writeFileSync(join(folder, 'c.json'), JSON.stringify(file))
    const before = names(folder)
    const words = file === undefined ? argv : ['--config', 'c.json', ...argv]
    assert.throws(
      () => start(folder, words, env),
      (error: Error) => {
        assert.ok(error instanceof StartupProblem, String(error.stack))
        assert.match(error.message, says)
        assert.match(error.message, /^[^\n]*[.?]$/)
        return true
      },
    )
    assert.deepEqual(names(folder), before)
  })
}

test('an unknown variable is a warning that names the nearest', (t) => {
  const folder = place(t)
  const { warnings } = read(folder, [], { HOLDALL_DATABSE: 'x', HOLDALL_WEATHER: 'x', PATH: '/bin' })
  assert.deepEqual(warnings, [
    'There is no variable HOLDALL_DATABSE: did you mean HOLDALL_DATABASE?',
    'There is no variable HOLDALL_WEATHER: --help lists them all.',
  ])
})

test('help and version answer whatever else is wrong, and write nothing', (t) => {
  const folder = place(t)
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
  assert.deepEqual(names(folder), before)
})

test("the first administrator's password leaves the environment at once, and no dump of the options shows it", (t) => {
  const folder = place(t)
  const env = { HOLDALL_ADMIN_PASSWORD: 'correct horse battery' }
  const options = read(folder, [], env)
  assert.deepEqual(Object.keys(env), [])
  assert.ok(!JSON.stringify(options).includes('horse'))
  assert.deepEqual(firstPassword(options), { password: 'correct horse battery', option: 'HOLDALL_ADMIN_PASSWORD' })
  assert.deepEqual(options.warnings, [])
  const broken: Env = { HOLDALL_ADMIN_PASSWORD: 'correct horse battery' }
  assert.throws(() => read(folder, ['--port', 'x'], broken), StartupProblem)
  assert.deepEqual(Object.keys(broken), [], 'also when the start fails')
})

test('the password file is read when it counts, without the end of its line', (t) => {
  const folder = place(t)
  const options = read(folder, ['--admin-password-file', 'p'], { HOLDALL_ADMIN_PASSWORD: 'the other' })
  assert.throws(() => firstPassword(options), /^StartupProblem: --admin-password-file .*p cannot be read/)
  writeFileSync(join(folder, 'p'), ' spaces count \r\n')
  assert.equal(firstPassword(options)?.password, ' spaces count ')
  assert.equal(firstPassword(read(folder)), undefined)
})

test('the cache folder is made for the owner alone, also when it was there for all', (t) => {
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const folder = place(t)
  const options = read(folder, ['--cache-dir', 'c'])
  prepareFolders(options)
  assert.equal(statSync(join(folder, 'c')).mode & 0o777, 0o700)
  chmodSync(join(folder, 'c'), 0o755)
  prepareFolders(options)
  assert.equal(statSync(join(folder, 'c')).mode & 0o777, 0o700)
})

test('the project makes its `files`, and no other root', (t) => {
  const folder = place(t)
  const project = join(folder, 'bin')
  prepareFolders(read(folder, [], {}, { place: { project }, cwd: project }))
  assert.ok(statSync(join(project, 'files')).isDirectory())
  prepareFolders(read(folder, [], {}, { place: { project }, cwd: project }))
})

test('a cache that is a link is a sentence', (t) => {
  const folder = place(t)
  symlinkSync('files', join(folder, 'c'))
  assert.throws(() => prepareFolders(read(folder, ['--cache-dir', 'c'])), /^StartupProblem: .*c cannot be made .*--cache-dir/)
})

test('a stale socket makes way, a live one is a sentence, and what is no socket stays', async (t) => {
  const folder = place(t)
  const socket = join(folder, 's')
  const server = createServer().listen(socket)
  await new Promise((resolve) => server.once('listening', resolve))
  openSocketToGroup(socket)
  assert.equal(statSync(socket).mode & 0o777, 0o660)
  await assert.rejects(clearSocket(socket), /^StartupProblem: --socket .*s is in use by another process/)
  assert.ok(statSync(socket).isSocket())
  await new Promise((resolve) => server.close(resolve))
  await leaveSocket(socket)
  assert.ok(statSync(socket).isSocket())
  await clearSocket(socket)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name === 's'),
    [],
  )
  await clearSocket(socket)
  await assert.rejects(clearSocket(join(folder, 'file')), /is there already and is no socket/)
})

/** A process that listened and was killed leaves its socket behind. */
async function leaveSocket(socket: string) {
  const script = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`
  try {
    execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' })
  } catch {
    // Killed, as it was meant to be.
  }
}
