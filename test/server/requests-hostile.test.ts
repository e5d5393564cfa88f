// Senders who mean harm, and what strangers are told.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { uploadName } from '../../src-server/disk/temporary-names.ts'
import { folderName, momentName, personName } from '../../src-server/requests/sender-names.ts'
import { hookFolder, startWithHooks } from '../support/hook-folder.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { rawRequest } from '../support/raw-request.ts'
import { askRequest, requestFiles } from '../support/request-calls.ts'
import { senderOn } from '../support/sender.ts'
import { type AppSetup, deny, startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

const files = { 'in/a.txt': 'of the owner', 'in/sub/b.txt': 'b', 'other/x': 'x' }

async function start(t: TestContext, body: object = {}, setup: AppSetup = {}) {
  const app = await startApp(t, { files, ...setup })
  const { hash } = await requestFiles(await app.as('ann'), '/in', body)
  const sender = senderOn(app, hash)
  await sender.shown()
  return { app, hash, sender }
}

test('every name arrives as it is, in the folder of its sender', async (t) => {
  const { app, sender } = await start(t, { asksName: true })
  await sender.send('first', '', { metadata: { sender: 'Rosa' } })
  const usable = nastyNames.filter((name) => Buffer.byteLength(name) <= 255)
  for (let at = 0; at < usable.length; at += 3) await Promise.all(usable.slice(at, at + 3).map((name) => sender.send(name, '')))
  assert.deepEqual(readdirSync(join(app.root, 'in/Rosa')).sort(), ['first', ...usable].sort())
})

test('no path leads elsewhere', async (t) => {
  const { app, hash, sender } = await start(t)
  const cookie = [...sender.cookies].map((pair) => pair.join('=')).join('; ')
  const own = uploadName('a'.repeat(32))
  const bad = [
    '..',
    '../x',
    '%2e%2e/x',
    '..%2fx',
    'd/%2e%2e/%2e%2e/x',
    'a%00b',
    '',
    '%ff',
    '.holdall-trash/x',
    own,
    `d/${own}`,
    '%',
  ]
  for (const path of [...bad, 'x'.repeat(256), `d/${'x'.repeat(256)}`]) {
    const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '0', Cookie: cookie }
    const { status } = await rawRequest({ port: app.port, method: 'POST', address: `/api/public/tus/${hash}/${path}`, headers })
    assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
  }
  assert.deepEqual(await harvest(app.root), files)
})

test('without folders no folder of the owner is reached', async (t) => {
  const { app, sender } = await start(t, { hasFolders: false })
  for (const name of ['sub/c.txt', 'sub%2fc.txt', 'new/c.txt']) {
    const answer = await sender.tus('POST', `/api/public/tus/${sender.cookies.keys().next().value?.slice(7)}/${name}`, {
      headers: { 'Upload-Length': '0' },
    })
    assert.equal(answer.status, 400, name)
  }
  await sender.send('sub', 'x')
  assert.deepEqual(await harvest(app.root), { ...files, 'in/sub(1)': 'x' })
})

test('what rules block is refused in the same words as everything else', async (t) => {
  const rules = [deny('/in/Rosa/secret'), { allow: false, path: '', regex: true, regexp: { raw: '\\.exe$' } }, deny('/in/Eva')]
  const { app, hash, sender } = await start(t, { asksName: true }, { rules })
  const metadata = { sender: 'Rosa' }
  for (const name of ['secret/a.txt', 'a.exe']) {
    const answer = await sender.begin(name, { metadata })
    assert.equal(await answer.text(), '403 Forbidden (this file is not taken in here)\n', name)
  }
  assert.deepEqual(await harvest(app.root), files)
  // A folder of that name is none that may be made: it gets another.
  await senderOn(app, hash).send('a.txt', 'x', { metadata: { sender: 'Eva' } })
  const made = Object.keys(await harvest(app.root)).filter((path) => !(path in files))
  assert.match(made.join(), /^in\/\d{4}-\d\d-\d\d \d\d\.\d\d\/a\.txt$/)
})

test('an empty file does not come with thousands of folders', async (t) => {
  const { app, sender } = await start(t)
  const answer = await sender.begin(`${'a/'.repeat(33)}b`)
  assert.deepEqual(
    [await answer.text(), answer.headers.get('x-refusal')],
    ['400 Bad Request (the name is too long)\n', 'code=nameTooLong'],
  )
  assert.deepEqual(await harvest(app.root), files)
  await sender.send(`${'a/'.repeat(32)}b`, '')
  // Its name is kept in the log of the link.
  assert.equal((await sender.begin(`${`${'a'.repeat(200)}/`.repeat(5)}${'b'.repeat(20)}`)).status, 400)
  await sender.send(`${`${'a'.repeat(200)}/`.repeat(5)}${'b'.repeat(19)}`, '')
})

test('folders that come with a file count as much as an empty file', async (t) => {
  const { app, sender } = await start(t, { mostBytes: 4096 * 8, mostFiles: 100 })
  await sender.send('b/c/d/e/f', '')
  await sender.send('b/c/g', '')
  // Of the first 5, and of the second 1.
  await sender.send('h', '')
  await sender.send('i', '')
  assert.equal((await sender.begin('j')).status, 507)
  assert.equal(Object.keys(await harvest(join(app.root, 'in'))).length, 6)
})

test('where rules allow a name and none with a number, one that is taken is refused', async (t) => {
  const rule = (allow: boolean, raw: string) => ({ allow, path: '', regex: true, regexp: { raw } })
  const rules = [rule(false, '^/in/.'), rule(true, '^/in/[a-z.]+$')]
  const { app, sender } = await start(t, { hasFolders: false }, { rules })
  await sender.send('b.txt', 'x')
  const answer = await sender.begin('a.txt')
  assert.equal(await answer.text(), '403 Forbidden (this file is not taken in here)\n')
  assert.deepEqual(await harvest(app.root), { ...files, 'in/b.txt': 'x' })
  const copied = await (await app.as('ann')).ask('PATCH', '/api/resources/other/x?action=copy&destination=/in/b.txt&rename=true')
  assert.equal(copied.status, 409)
})

test('commands of events get the name in their environment alone, and what they write is not shown', async (t) => {
  const folder = hookFolder(t)
  const line = folder.script(
    'say',
    `fs.appendFileSync(${JSON.stringify(join(folder.folder, 'said'))}, process.env.FILE + '\\n' + process.argv.length + '\\n')`,
  )
  const refuse = folder.script(
    'refuse',
    "if (process.env.FILE.endsWith('.exe')) { console.log('secret of the server'); process.exit(1) }",
  )
  const commands: Record<string, string[]> = { before_upload: [line, refuse] }
  const app = await startWithHooks(t, () => ({ commands }), { files })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', { hasFolders: false })
  const sender = senderOn(app, hash)
  await sender.send('$(touch x).txt', 'x')
  assert.ok(folder.read('said')?.includes(join(app.root, 'in/$(touch x).txt\n2\n')))
  const refused = await sender.begin('a.exe')
  assert.deepEqual(
    [await refused.text(), refused.headers.get('x-refusal')],
    ['403 Forbidden (this file is not taken in here)\n', 'code=fileRefused'],
  )
  commands.after_upload = [`${line} $FILE`]
  assert.equal((await askRequest(ann, '/in')).status, 409)
  const count = folder.read('said')?.split('\n').length ?? 0
  await sender.send('b.txt', 'x')
  // Only the one before it ran.
  assert.ok((folder.read('said')?.split('\n').length ?? 0) <= count + 4)
  commands.before_upload = [`${line} --to=\${FILE}`]
  assert.equal((await sender.begin('c.txt')).status, 503)
  assert.equal((await ann.upload('/in/d.txt', 'x')).status, 200)
})

test('of a file that is refused at its end nothing is left', async (t) => {
  const folder = hookFolder(t)
  const refuse = folder.script('refuse', 'process.exit(1)')
  const commands: Record<string, string[]> = {}
  const app = await startWithHooks(t, () => ({ commands }), { files })
  const { hash } = await requestFiles(await app.as('ann'), '/in')
  const sender = senderOn(app, hash)
  const address = (await sender.begin('a.txt', { length: 6 })).headers.get('location') ?? ''
  assert.equal((await sender.patch(address, 0, 'abc')).status, 204)
  commands.before_upload = [refuse]
  const refused = await sender.patch(address, 3, 'def')
  assert.deepEqual([refused.status, refused.headers.get('x-refusal')], [403, 'code=fileRefused'])
  await until(() => readdirSync(join(app.root, 'in')).length === 2, 'it is removed, and its folder too')
  assert.equal(Object.keys(await harvest(app.root)).length, Object.keys(files).length)
  assert.equal((await sender.tus('HEAD', address)).status, 404)
  const unfinished = async () => {
    const page = await sender.shown()
    return page.kind === 'open' ? page.unfinished.length : undefined
  }
  // Its record goes last, so that a kill leaves no folder that nobody knows.
  await until(async () => (await unfinished()) === 0, 'it is not known any more')
  delete commands.before_upload
  await sender.send('a.txt', 'abcdef')
})

for (const [what, line] of Object.entries({
  'cannot be run': '/nowhere/scan',
  'takes too long': `sh -c 'touch BEGUN; sleep 1000'`,
  'writes too much': `${process.execPath} -p "'x'.repeat(2000)"`,
  'is killed': `sh -c 'kill -9 $$'`,
  'is not found by its shell': 'sh -c /nowhere/scan',
})) {
  test(`a file stays when a command ${what}, and gets its name once the command says so`, async (t) => {
    const commands: Record<string, string[]> = {}
    const folder = hookFolder(t)
    const limits = { milliseconds: what === 'takes too long' ? 1000 : 1e8, bytes: 1000 }
    const app = await startWithHooks(t, () => ({ commands, limits }), { files })
    const sender = senderOn(app, (await requestFiles(await app.as('ann'), '/in', { hasFolders: false })).hash)
    const address = (await sender.begin('new.txt', { length: 6 })).headers.get('location') ?? ''
    assert.equal((await sender.patch(address, 0, 'abc')).status, 204)
    commands.before_upload = [line.replace('BEGUN', join(folder.folder, 'begun'))]
    const answer = sender.patch(address, 3, 'def')
    if (what === 'takes too long') {
      await until(() => folder.read('begun') !== undefined, 'the command runs')
      app.clock.advance({ seconds: 1 })
    }
    const failed = await answer
    assert.deepEqual([failed.status, failed.headers.get('retry-after')], [503, '30'])
    commands.before_upload = ['true']
    assert.equal((await sender.tus('HEAD', address)).status, 200)
    assert.equal((await harvest(app.root))['in/new.txt'], 'abcdef')
  })
}

test('a shell splits no name of a stranger into words, and no other variable holds one', async (t) => {
  const folder = hookFolder(t)
  const words = `${folder.script('say', `fs.appendFileSync(${JSON.stringify(join(folder.folder, 'said'))}, JSON.stringify(process.argv.slice(2)) + '\\n')`)}`
  const commands: Record<string, string[]> = {}
  const app = await startWithHooks(t, () => ({ shell: ['sh', '-c'], commands }), { files })
  const ann = await app.as('ann')
  const { hash } = await requestFiles(ann, '/in', { asksName: true })
  const sender = senderOn(app, hash)
  commands.after_upload = [`${words} $FILE`]
  assert.equal((await askRequest(ann, '/in')).status, 409)
  const named = { metadata: { sender: 'Rosa -t *' } }
  await sender.send('a -t b', 'x', named)
  await ann.upload('/c d', 'x')
  await until(() => folder.read('said') !== undefined, 'the command of the owner ran')
  commands.after_upload = [`${words} "$FILE" "$SCOPE" "$USERNAME" "$DESTINATION"`]
  await requestFiles(ann, '/in')
  await sender.send('* b', 'x')
  await until(() => (folder.read('said') ?? '').includes('* b'), 'the command ran')
  const [first = '', second = '', ...more] = (folder.read('said') ?? '').trim().split('\n')
  assert.deepEqual(JSON.parse(first), [join(app.root, 'c'), 'd'])
  assert.deepEqual(JSON.parse(second), [join(app.root, 'in/Rosa -t -/* b'), '/', 'ann', `${app.root}`])
  assert.deepEqual(more, [])
})

test('a request without tus, and one with the methods of others, is refused', async (t) => {
  const { app, hash, sender } = await start(t)
  const address = (await sender.begin('a', { length: 2 })).headers.get('location') ?? ''
  const old = await sender.ask('POST', `/api/public/tus/${hash}/b`, { headers: { 'Upload-Length': '0' } })
  assert.equal(old.status, 412)
  const overridden = await sender.tus('POST', address, { headers: { 'X-HTTP-Method-Override': 'DELETE' } })
  assert.equal(overridden.status, 400)
  assert.equal((await sender.tus('POST', `/api/public/tus/${hash}/c`, { headers: { 'Upload-Defer-Length': '1' } })).status, 400)
  for (const [header, value] of [
    ['Upload-Defer-Length', '1'],
    ['Upload-Concat', 'partial'],
  ] as const)
    assert.equal((await sender.begin('d', { headers: { [header]: value } })).status, 400)
  assert.equal((await sender.tus('HEAD', address)).status, 200)
  assert.equal((await (await app.as('ann')).ask('GET', '/api/uploads')).status, 200)
})

test('the owner does not see what is unfinished among own uploads, and undoes none of it', async (t) => {
  const { app, sender } = await start(t)
  await sender.begin('a', { length: 2 })
  await sender.send('b', 'x')
  const ann = await app.as('ann')
  assert.deepEqual(await (await ann.ask('GET', '/api/uploads')).json(), { uploads: [] })
  assert.deepEqual(((await (await ann.ask('GET', '/api/history')).json()) as { acts: unknown[] }).acts, [])
})

test('names of persons and their folders', () => {
  assert.deepEqual(
    [personName('  Rosa \u202e\n'), personName('\u200b\0 '), personName('x'.repeat(150))?.length],
    ['Rosa', undefined, 100],
  )
  for (const name of [
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    'Ann \u{1f469}\u200d\u{1f4bb}',
    '\u{1f468}\u{1f3fd}\u200d\u{1f52c}',
    '\u2764\ufe0f\u200d\u{1f525}',
  ])
    assert.equal(personName(name), name)
  for (const name of ['Ro\u200dsa', '\u200dRosa', 'Rosa\u200c', 'Rosa\u200c\u{1f469}'.slice(0, 5)])
    assert.equal(personName(name), 'Rosa')
  for (const [name, folder] of [
    ['../..', '-'],
    ['..', undefined],
    ['a/b\\c:d*e?f"g<h>i|j', 'a-b-c-d-e-f-g-h-i-j'],
    [' . Rosa   Lind . ', 'Rosa Lind'],
    ['e\u0301', 'é'],
    ['ü'.repeat(60), 'ü'.repeat(50)],
  ] as const)
    assert.equal(folderName(name), folder, name)
  assert.match(momentName(0), /^\d{4}-\d\d-\d\d \d\d\.\d\d$/)
})
