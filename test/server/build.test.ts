import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { buildServer, buildUi, firstLoad } from '../../build.ts'
import { changePrelude } from '../../scripts/package.ts'
import { linksOf } from '../../scripts/product-links.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdall-build-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const words = 'a sentence that is worth compressing, '.repeat(40)

async function project(name: string, files: Record<string, string> = {}): Promise<string> {
  const plain = {
    'package.json': '{ "version": "1.2.3" }',
    'locales/en.json': '{ "hello": "Hello" }',
    'src-ui/main.tsx': `import './main.css'\ndocument.title = '${words}'\nimport('./late.ts')`,
    'src-ui/main.css': '.a { color: red }',
    'src-ui/late.ts': 'export const late = 1',
    'src-server/main.ts': `declare const HOLDALL_VERSION: string, holdallFiles: any
console.log(JSON.stringify([HOLDALL_VERSION, holdallFiles.names, holdallFiles.bytes('interface/' + 'main.js').toString()]))`,
  }
  for (const [file, source] of Object.entries({ ...plain, ...files })) {
    await mkdir(dirname(join(folder, name, file)), { recursive: true })
    await writeFile(join(folder, name, file), source)
  }
  return join(folder, name)
}

test('the interface is packed under hashed names, compressed, and listed by its source names', async () => {
  const passage = await project('packed')
  const { names, files } = await buildUi({ folder: passage })
  assert.deepEqual(Object.keys(names).sort(), ['locales/en.json', 'main.css', 'main.js'])
  const script = files[names['main.js'] ?? '']
  assert.match(names['main.js'] ?? '', /^main-\w{8}\.js$/)
  assert.equal(script?.type, 'text/javascript; charset=utf-8')
  assert.equal(script?.encoding, 'br')
  assert.match(brotliDecompressSync(script?.body ?? '').toString(), /a sentence/)
  assert.equal(Object.keys(files).length, 4, 'entry, styles, the part that is loaded late, and the locale')
  assert.deepEqual((await readdir(join(passage, 'out/ui'))).length, 4)
})

// The page itself, its icon and the answers take about 7,000 more.
test('what a browser loads before the listing shows stays below 125,500 bytes', { timeout: 300_000 }, async () => {
  const bytes = firstLoad(await buildWhole())
  assert.ok(bytes < 125_500, `${bytes} bytes: load later, by import(), what the listing does not show at once`)
})

test('what a browser loads for the page of a public link stays below 85,000 bytes', { timeout: 300_000 }, async () => {
  const { names, files } = await buildWhole()
  const sizes = ['share.js', 'share.css'].map((name) => files[names[name] ?? '']?.body.length ?? 0)
  assert.ok(sizes.every((size) => size > 0))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(bytes < 85_000, `${bytes} bytes`)
})

test('what a browser loads for the page of a link that takes files in stays below 110,000 bytes', {
  timeout: 300_000,
}, async () => {
  const { names, files } = await buildWhole()
  const sizes = ['request.js', 'request.css'].map((name) => files[names[name] ?? '']?.body.length ?? 0)
  assert.ok(sizes.every((size) => size > 0))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(bytes < 110_000, `${bytes} bytes`)
})

let whole: ReturnType<typeof buildUi> | undefined

/** The interface as it is, built once. Here, and not in a copy: hashed names are a part of what is counted. */
function buildWhole() {
  whole ??= buildUi({ target: join(folder, 'whole') })
  return whole
}

test('the interface has the same bytes under the same names wherever it is built', async () => {
  const lazy = {
    'src-ui/late.ts': `import address from 'holdall:part/late.css'\nexport const late = address`,
    'src-ui/late.css': '.b { color: red }',
  }
  const built = await Promise.all(['here', 'or/elsewhere'].map(async (name) => buildUi({ folder: await project(name, lazy) })))
  assert.deepEqual(Object.keys(built[0]?.files ?? {}), Object.keys(built[1]?.files ?? {}))
  assert.deepEqual(built[0], built[1])
})

test('the server finds the interface beside its bundle, and its version', async () => {
  const passage = await project('served')
  const file = { type: 'text/javascript', etag: '"1"', body: Buffer.from('console.log("ä")') }
  const bundle = await buildServer({ names: {}, preload: [], files: { 'main.js': file } }, passage)
  const { stdout, stderr } = spawnSync(process.execPath, [bundle], { encoding: 'utf8' })
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), ['1.2.3', ['server.cjs', 'interface.json', 'interface/main.js'], file.body.toString()])
})

test('letters beyond ASCII in an expression of the server are themselves in its bundle', async () => {
  const source = "console.log('å', /^[å-ö😀]$/u.test('å'), /^ÅÄ$/iu.test('åä'), /^[å-ö😀]$/u.test('😀'), /^Ã¥$/.test('å'))"
  const passage = await project('letters', { 'src-server/main.ts': source })
  const bundle = await buildServer({ names: {}, preload: [], files: {} }, passage)
  assert.equal(spawnSync(process.execPath, [bundle], { encoding: 'utf8' }).stdout, 'å true true true false\n')
})

test('an interface that would contain a file of the server is not built', async () => {
  const passage = await project('mixed', {
    'src-server/secret.ts': `export const secret = 'do not tell'`,
    'src-ui/main.tsx': `import { secret } from '../src-server/secret.ts'\ndocument.title = secret`,
  })
  await assert.rejects(buildUi({ folder: passage }), /must not hold src-server\/secret\.ts, which src-ui\/main\.tsx imports/)
  assert.deepEqual(await readdir(passage).then((names) => names.includes('out')), false, 'nothing was written')
})

test('a type imported from the server brings no code of it', async () => {
  const passage = await project('typed', {
    'src-server/reply.ts': `export type Reply = string\nexport const secret = 'do not tell'`,
    'src-ui/main.tsx': `import type { Reply } from '../src-server/reply.ts'\nconst title: Reply = 'Holdall'\ndocument.title = title`,
  })
  const { names, files } = await buildUi({ folder: passage, release: false })
  const script = String(files[names['main.js'] ?? '']?.body)
  assert.match(script, /Holdall/)
  assert.doesNotMatch(script, /do not tell/)
})

test('a server that uses import.meta is not built, because CommonJS has none', async () => {
  const passage = await project('modern', { 'src-server/main.ts': 'console.log(import.meta.dirname)' })
  await assert.rejects(buildServer({ names: {}, preload: [], files: {} }, passage), /import\.meta/)
})

const passages = [
  'process.env.PKG_NATIVE_CACHE_PATH || path.join(homedir(), ".cache")',
  'process.env.PKG_NATIVE_CACHE_PATH || path.join(homedir(), \\".cache\\")',
  'path.join(PKG_NATIVE_CACHE_BASE, "pkg")',
  'path.join(PKG_NATIVE_CACHE_BASE, \\"pkg\\")',
  'fs.writeFileSync(dest, srcContent);',
  ' fs.writeFileSync(dest, srcContent);',
  'shared.patchChildProcess(entrypoint2);',
]

test("pkg's prelude is changed so that it asks for no home folder", () => {
  const changed = changePrelude(passages.join('\n'))
  assert.doesNotMatch(changed, /homedir|PKG_NATIVE_CACHE_BASE/)
  assert.equal(changed.match(/path\.join\(process\.env\.PKG_NATIVE_CACHE_PATH, /g)?.length, 2)
})

for (const [index, passage] of passages.entries())
  test(`a prelude without ${passage} is refused`, () => {
    const others = passages.filter((_, at) => at !== index)
    assert.throws(() => changePrelude(others.join('\n')), /(1 times instead of 2|0 times instead of 1)/)
  })

test('the addresses about the product come from package.json', () => {
  const all = {
    homepage: 'https://a.example',
    bugs: { url: 'https://a.example/bugs' },
    holdall: { documentation: 'http://b.example' },
  }
  assert.deepEqual(linksOf(all), { home: all.homepage, report: all.bugs.url, documentation: all.holdall.documentation })
  assert.deepEqual(linksOf({ bugs: 'https://a.example/bugs' }), { report: 'https://a.example/bugs' })
  assert.deepEqual(linksOf({ homepage: '', bugs: {} }), {})
  for (const address of ['javascript:alert(1)', 'a.example', 'file:///etc'])
    assert.throws(() => linksOf({ homepage: address }), /home in package\.json is no http address/)
})
