// The flags and variables of File Browser 2.0 to 2.63, as its command line and its documentation name them.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartupError } from '../../src-server/base/startup-error.ts'
import type { Options } from '../../src-server/options/options.ts'
import { certificates, type Env, makeStartFolder, read } from '../support/read-start.ts'

type OldCase = Readonly<{ argv?: readonly string[]; env?: Env; expected?: Partial<Options>; says: readonly string[] }>

const counts = (old: string, ours: string) => `${old} of File Browser counts as ${ours}.`
const nothing = (old: string, why: string) => `${old} of File Browser has no counterpart: ${why}.`
const pictures = 'pictures are measured only where that is asked for'
const types = 'the content of a file is looked at where its name does not tell its type'
const processors = 'how many pictures are made at a time is not chosen'
const redis = 'previews are kept in the folder that --cache-dir names'
const mode = 'owner and group may connect to --socket, and nobody else'
const outside = 'opens nothing: links out of the root are followed only into folders that --links-into names'
const off = 'commands run only with --enable-exec'
const never = 'counted for a new database alone, and lets nobody in here: --noauth lets everybody in at each start'

const flags: readonly OldCase[] = [
  { argv: ['-a', '0.0.0.0'], expected: { address: '0.0.0.0' }, says: [counts('-a', '--address')] },
  { argv: ['-p', '80'], expected: { port: 80 }, says: [counts('-p', '--port')] },
  { argv: ['-p8081'], expected: { port: 8081 }, says: [counts('-p', '--port')] },
  { argv: ['-b', 'fb/'], expected: { baseURL: '/fb' }, says: [counts('-b', '--baseurl')] },
  { argv: ['--baseURL', '/fb'], expected: { baseURL: '/fb' }, says: [counts('--baseURL', '--baseurl')] },
  { argv: ['--baseURL=fb', '--baseurl', '/x'], expected: { baseURL: '/x' }, says: [counts('--baseURL', '--baseurl')] },
  { argv: ['-l', 'stdout'], expected: { logTo: 'stdout', logLevel: 'info' }, says: [counts('-l', '--log')] },
  {
    argv: ['--token-expiration-time', '8h0m0s'],
    expected: { tokenLifetime: 28_800 },
    says: [counts('--token-expiration-time', '--token-lifetime')],
  },
  {
    argv: ['--tokenExpirationTime=30m'],
    expected: { tokenLifetime: 1800 },
    says: [counts('--tokenExpirationTime', '--token-lifetime')],
  },
  { argv: ['--disable-thumbnails'], expected: { thumbnails: false }, says: [counts('--disable-thumbnails', '--no-thumbnails')] },
  { argv: ['--disableThumbnails=F'], expected: { thumbnails: true }, says: [counts('--disableThumbnails', '--no-thumbnails')] },
  {
    argv: ['--disable-preview-resize'],
    expected: { resizePreview: false },
    says: [counts('--disable-preview-resize', '--no-resize-preview')],
  },
  {
    argv: ['--disablePreviewResize=true'],
    expected: { resizePreview: false },
    says: [counts('--disablePreviewResize', '--no-resize-preview')],
  },
  { argv: ['--disable-type-detection-by-header'], says: [nothing('--disable-type-detection-by-header', types)] },
  { argv: ['--disableTypeDetectionByHeader'], says: [nothing('--disableTypeDetectionByHeader', types)] },
  { argv: ['--disable-image-resolution-calc'], says: [nothing('--disable-image-resolution-calc', pictures)] },
  { argv: ['--disableImageResolutionCalc'], says: [nothing('--disableImageResolutionCalc', pictures)] },
  { argv: ['--img-processors', '8'], says: [nothing('--img-processors', processors)] },
  { argv: ['--imageProcessors=8'], says: [nothing('--imageProcessors', processors)] },
  { argv: ['--redis-cache-url', 'redis://x'], says: [nothing('--redis-cache-url', redis)] },
  { argv: ['--redisCacheUrl', 'redis://x'], says: [nothing('--redisCacheUrl', redis)] },
  ...['0666', '438', '0o770', '0660'].map((value) => ({ argv: ['--socketPerm', value], says: [nothing('--socketPerm', mode)] })),
  { argv: ['--socket-perm', '0777'], says: [nothing('--socket-perm', mode)] },
  {
    argv: ['--follow-external-symlinks'],
    expected: { linksInto: [] },
    says: [`--follow-external-symlinks of File Browser ${outside}.`],
  },
  {
    argv: ['--followExternalSymlinks'],
    expected: { linksInto: [] },
    says: [`--followExternalSymlinks of File Browser ${outside}.`],
  },
  ...['--disable-exec', '--disableExec', '--disable-exec=1'].map((flag) => ({
    argv: [flag],
    expected: { enableExec: false },
    says: [`${flag.replace('=1', '')} of File Browser says what holds anyway: ${off}.`],
  })),
  ...['--disable-exec=false', '--disableExec=false', '--disableExec=0'].map((flag) => ({
    argv: [flag],
    expected: { enableExec: false },
    says: [`${flag.replace(/=.*/, '')} of File Browser enables nothing: ${off}.`],
  })),
  {
    argv: ['--disableExec=false', '--enable-exec'],
    expected: { enableExec: true },
    says: [`--disableExec of File Browser enables nothing: ${off}.`],
  },
  { argv: ['--noauth'], expected: { authMethod: 'noauth' }, says: [] },
]

const variables: readonly OldCase[] = [
  { env: { FB_ADDRESS: '::1' }, expected: { address: '::1' }, says: [counts('FB_ADDRESS', 'HOLDALL_ADDRESS')] },
  { env: { FB_PORT: '80' }, expected: { port: 80 }, says: [counts('FB_PORT', 'HOLDALL_PORT')] },
  ...['FB_BASEURL', 'FB_BASE_URL'].map((name) => ({
    env: { [name]: 'fb' },
    expected: { baseURL: '/fb' },
    says: [counts(name, 'HOLDALL_BASEURL')],
  })),
  ...['FB_DISABLE_THUMBNAILS', 'FB_DISABLE-THUMBNAILS', 'FB_DISABLETHUMBNAILS'].map((name) => ({
    env: { [name]: '1' },
    expected: { thumbnails: false },
    says: [counts(name, 'HOLDALL_NO_THUMBNAILS')],
  })),
  {
    env: { FB_DISABLE_PREVIEW_RESIZE: 'TRUE' },
    expected: { resizePreview: false },
    says: [counts('FB_DISABLE_PREVIEW_RESIZE', 'HOLDALL_NO_RESIZE_PREVIEW')],
  },
  {
    env: { FB_TOKEN_EXPIRATION_TIME: '1h' },
    expected: { tokenLifetime: 3600 },
    says: [counts('FB_TOKEN_EXPIRATION_TIME', 'HOLDALL_TOKEN_LIFETIME')],
  },
  { env: { FB_LOG: 'stderr' }, expected: { logLevel: 'info' }, says: [counts('FB_LOG', 'HOLDALL_LOG')] },
  {
    env: { FB_DISABLE_EXEC: 'false' },
    expected: { enableExec: false },
    says: [`FB_DISABLE_EXEC of File Browser enables nothing: ${off}.`],
  },
  { env: { FB_NOAUTH: 'true' }, expected: { authMethod: 'json' }, says: [`FB_NOAUTH of File Browser ${never}.`] },
  {
    env: { FB_NOAUTH: 'false' },
    expected: { authMethod: 'json' },
    says: ['FB_NOAUTH of File Browser says what holds anyway, without --noauth.'],
  },
  { env: { FB_IMAGE_PROCESSORS: '2' }, says: [nothing('FB_IMAGE_PROCESSORS', processors)] },
  { env: { FB_REDIS_CACHE_URL: 'redis://x' }, says: [nothing('FB_REDIS_CACHE_URL', redis)] },
  { env: { FB_PORT: '' }, expected: { port: 8080 }, says: [] },
  {
    env: { FB_PORT: '80', HOLDALL_PORT: '81' },
    expected: { port: 81 },
    says: ['FB_PORT of File Browser is not used, as HOLDALL_PORT is given.'],
  },
  {
    env: { FB_PORT: '80' },
    argv: ['--port', '82'],
    expected: { port: 82 },
    says: ['FB_PORT of File Browser is not used, as --port is given.'],
  },
  { env: { FB_DATABSE: 'x' }, says: ['There is no variable FB_DATABSE: did you mean FB_DATABASE?'] },
  { env: { FB_APP_SECRET_PROOF: 'of another program', FB_CONFIGURATION: 'x' }, says: [] },
]

for (const { argv = [], env = {}, expected = {}, says } of [...flags, ...variables])
  test(`${[...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...argv].join(' ')} is understood`, (t) => {
    const { warnings, ...options } = read(makeStartFolder(t), argv, env)
    assert.deepEqual({ ...options, ...expected }, options)
    assert.deepEqual(
      warnings.filter((warning) => !warning.startsWith('With --noauth')),
      says,
    )
  })

test('paths of File Browser count from the working folder', (t) => {
  const folder = makeStartFolder(t)
  const { cert, key } = certificates(folder)
  const named = read(folder, ['-r', 'files', '-d', 'bin/x.json', '-t', 'cert.pem', '-k', 'key.pem', '--cacheDir', 'c'])
  assert.deepEqual(
    [named.root, named.database, named.tls, named.cacheDir],
    [join(folder, 'files'), join(folder, 'bin/x.json'), { cert, key }, join(folder, 'c')],
  )
  const env = {
    FB_ROOT: 'files',
    FB_DATABASE: 'x.json',
    FB_CERT: 'cert.pem',
    FB_KEY: 'key.pem',
    FB_CACHE_DIR: 'c',
    FB_SOCKET: 's',
  }
  const set = read(folder, [], env)
  assert.deepEqual(
    [set.root, set.database, set.tls, set.cacheDir, set.socket],
    [join(folder, 'files'), join(folder, 'x.json'), { cert, key }, join(folder, 'c'), join(folder, 's')],
  )
})

const refused: readonly Readonly<{ argv?: readonly string[]; env?: Env; says: RegExp }>[] = [
  { argv: ['-p', 'http'], says: /^-p http is not a port: / },
  { argv: ['-p'], says: /^--port needs a value: --port PORT\.$/ },
  { argv: ['--tokenExpirationTime', '--port', '1'], says: /^--tokenExpirationTime needs a value/ },
  { argv: ['--tokenExpirationTime', 'soon'], says: /^--tokenExpirationTime soon is not an accepted time/ },
  { argv: ['--disableThumbnails=maybe'], says: /^--disableThumbnails is "maybe": it must be true or false\.$/ },
  { argv: ['--socketPerm', '0600'], says: /^--socketPerm 0600 cannot be kept, .*: leave it out, and put/ },
  { argv: ['--socket-perm', 'rw'], says: /^--socket-perm rw cannot be kept/ },
  { argv: ['--disableThumbnail'], says: /^There is no option --disableThumbnail/ },
  { argv: ['--auth.method=noauth'], says: /^There is no option --auth\.method/ },
  { argv: ['-x'], says: /^There is no option -x/ },
  { argv: ['--log', 'loud'], says: /^--log loud is not known: it must be one of debug/ },
  { argv: ['--log', 'none/x.log'], says: /^--log .*none\/x\.log lies in .*none, which is not a folder/ },
  { env: { FB_PORT: 'http' }, says: /^FB_PORT http is not a port/ },
  { env: { FB_NOAUTH: 'noauth' }, says: /^FB_NOAUTH is "noauth": it must be true or false\.$/ },
]

for (const { argv = [], env = {}, says } of refused)
  test(`${[...Object.keys(env), ...argv].join(' ')} is refused`, (t) => {
    assert.throws(
      () => read(makeStartFolder(t), argv, env),
      (error) => error instanceof StartupError && says.test(error.message),
    )
  })

const logs: readonly Readonly<{ argv: readonly string[]; level?: string; to?: string }>[] = [
  { argv: ['--log', 'debug'], level: 'debug' },
  { argv: ['--log', 'stdout'], to: 'stdout' },
  { argv: ['--log', '/dev/stdout'], to: 'stdout' },
  { argv: ['--log', 'stdout', '--log', 'warn'], level: 'warn', to: 'stdout' },
  { argv: ['--log', 'stdout', '--log', 'stderr'] },
  { argv: ['--log', 'fb.log', '--log', 'error'], level: 'error', to: 'fb.log' },
  { argv: ['--log', './log'], to: 'log' },
]

for (const { argv, level = 'info', to } of logs)
  test(`${argv.join(' ')} names where the log goes, or its level`, (t) => {
    const folder = makeStartFolder(t)
    const { logLevel, logTo } = read(folder, argv)
    assert.deepEqual([logLevel, logTo], [level, to === undefined || to === 'stdout' ? to : join(folder, to)])
  })

test('the hash of a password leaves the environment, and is not printed with the options', (t) => {
  const env: Env = { FB_PASSWORD: '$2a$10$secret', FB_USERNAME: 'root' }
  const options = read(makeStartFolder(t), [], env)
  assert.deepEqual(Object.keys(env), ['FB_USERNAME'])
  assert.ok(!JSON.stringify(options).includes('secret'))
  assert.deepEqual([options.firstUsername?.value, options.firstPassword?.hash()], ['root', '$2a$10$secret'])
  assert.deepEqual(options.warnings, [counts('FB_PASSWORD', '--password'), counts('FB_USERNAME', '--username')])
})
