import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartupError } from '../../src-server/base/startup-error.ts'
import { certificates, type Env, makeStartFolder, start } from '../support/read-start.ts'

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
  ...['--database=X', '--database=X/s', '--socket=X'].map((flag) => ({
    name: `a path that the system does not look at, ${flag}`,
    argv: [flag.replace('X', 'x'.repeat(300))],
    says: /^--(database|socket) .* cannot be looked at \(ENAMETOOLONG\): its folders must allow that, or name another one\.$/,
  })),
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
  { name: 'a socket that is a file', argv: ['--socket', 'file'], says: /^--socket .*file already exists and is not a socket/ },
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
  test(`${name} gives one message, and nothing is written`, (t) => {
    const folder = makeStartFolder(t)
    if (argv.some((word) => word.endsWith('.pem'))) certificates(folder)
    if (file !== undefined) writeFileSync(join(folder, 'c.json'), JSON.stringify(file))
    const before = names(folder)
    const words = file === undefined ? argv : ['--config', 'c.json', ...argv]
    assert.throws(
      () => start(folder, words, env),
      (error: Error) => {
        assert.ok(error instanceof StartupError, String(error.stack))
        assert.match(error.message, says)
        assert.match(error.message, /^[^\n]*[.?]$/)
        return true
      },
    )
    assert.deepEqual(names(folder), before)
  })
}

function names(folder: string) {
  return readdirSync(folder, { recursive: true }).sort()
}
