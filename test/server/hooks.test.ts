// Commands of events, with real processes: when they run, what they learn, and what their end means.
import assert from 'node:assert/strict'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { hookFolder, startWithHooks } from '../support/hook-folder.ts'
import { deny, startApp, usual } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'
import { until } from '../support/until.ts'

const triggers = ['copy', 'rename', 'upload', 'delete', 'save'].flatMap((kind) => [`before_${kind}`, `after_${kind}`])

/** Records environment, arguments and input of each run, and what the served folder holds at that moment. */
function recorder(t: TestContext) {
  const place = hookFolder(t)
  const log = join(place.folder, 'log')
  const line = place.script(
    'record',
    `const run = { env: process.env, args: process.argv.slice(2), input: fs.readFileSync(0, 'utf8'), exists: fs.existsSync(process.env.FILE) }
     fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify(run) + '\\n')`,
  )
  type Run = { env: Record<string, string>; args: string[]; input: string; exists: boolean }
  const runs = () =>
    (place.read('log') ?? '')
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text) as Run)
  return { ...place, line, runs }
}

test('each of the ten events runs its commands, before and after', async (t) => {
  const { line, runs } = recorder(t)
  const app = await startWithHooks(t, () => ({ commands: Object.fromEntries(triggers.map((name) => [name, [line]])) }))
  const ann = await app.as('ann')
  for (const answer of [
    await ann.upload('/a', '1'),
    await ann.save('/a', '22'),
    await ann.copy('/a', '/b'),
    await ann.move('/b', '/c'),
    await ann.remove('/c'),
    await ann.makeFolder('/d'),
  ]) {
    assert.equal(answer.status, 200, await answer.text())
  }
  const at = (path: string) => join(app.root, path)
  const told = runs().map(({ env, exists }) => [env.TRIGGER, env.FILE, env.DESTINATION, exists])
  assert.deepEqual(
    told,
    [
      ['before_upload', at('a'), at('/'), false],
      ['after_upload', at('a'), at('/'), true],
      ['before_save', at('a'), at('/'), true],
      ['after_save', at('a'), at('/'), true],
      ['before_copy', at('a'), at('b'), true],
      ['after_copy', at('a'), at('b'), true],
      ['before_rename', at('b'), at('c'), true],
      ['after_rename', at('b'), at('c'), false],
      ['before_delete', at('c'), at('/'), true],
      ['after_delete', at('c'), at('/'), false],
      ['before_upload', at('d'), at('/'), false],
      ['after_upload', at('d'), at('/'), true],
    ].map(([trigger, file, to, exists]) => [trigger, file, String(to).replace(/\/$/, ''), exists]),
  )
})

test('what comes back from the trash runs the commands of an upload, and what is removed from there none', async (t) => {
  const { line, runs } = recorder(t)
  const names = [...triggers, ...['before_restore', 'after_restore', 'before_purge', 'after_purge']]
  const commands = Object.fromEntries(names.map((name) => [name, [line]]))
  const files = { 'd/x': 'x', linked: { link: 'd' } }
  const app = await startWithHooks(t, () => ({ commands }), { files })
  const about = { isDir: false, trash: '0'.repeat(32), by: { id: 1, name: 'ann' }, address: '', way: 'page' } as const
  const [path, to] = [parsePath('/gone/a'), parsePath('/linked/b')]
  await app.parts.events.around({ kind: 'restore', path, to, ...about }, async () => symlinkSync('x', join(app.root, 'd/b')))
  await app.parts.events.around({ kind: 'purge', path, ...about }, async () => {})
  const at = join(app.root, 'd/b')
  assert.deepEqual(
    runs().map(({ env }) => [env.TRIGGER, env.FILE, env.DESTINATION]),
    [
      ['before_upload', at, app.root],
      ['after_upload', at, app.root],
    ],
  )
})

test('FILE and DESTINATION lead through no links, and what is written to a link is named by its target', async (t) => {
  const { line, runs } = recorder(t)
  const commands = Object.fromEntries(triggers.map((name) => [name, [line]]))
  const files = { 'true/a': 'a', folder: { link: 'true' }, 'true/name': { link: 'a' } }
  const app = await startWithHooks(t, () => ({ commands }), { files })
  const ann = await app.as('ann')
  for (const answer of [
    await ann.save('/folder/name', 'b'),
    await ann.upload('/folder/new/c', 'c'),
    await ann.copy('/true/a', '/folder/b'),
    await ann.move('/folder/name', '/folder/moved'),
    await ann.remove('/folder/moved'),
    await ann.remove('/folder'),
  ]) {
    assert.equal(answer.status, 200, await answer.text())
  }
  const told = runs().map(({ env }) => [env.TRIGGER, env.FILE, env.DESTINATION].map((text) => text?.replace(app.root, '')))
  assert.deepEqual(
    told.filter(([trigger]) => trigger?.startsWith('before')),
    [
      ['before_save', '/true/a', ''],
      ['before_upload', '/true/new/c', ''],
      ['before_copy', '/true/a', '/true/b'],
      ['before_rename', '/true/name', '/true/moved'],
      ['before_delete', '/true/moved', ''],
      ['before_delete', '/folder', ''],
    ],
  )
  const after = told
    .filter(([trigger]) => trigger?.startsWith('after'))
    .map(([trigger, ...paths]) => [trigger?.replace('after', 'before'), ...paths])
  assert.deepEqual(
    after,
    told.filter(([trigger]) => trigger?.startsWith('before')),
  )
})

test('a command gets PATH, HOME, LANG and the five variables, nothing else, and an empty input', async (t) => {
  const { line, runs } = recorder(t)
  process.env.HOLDALL_TEST_SECRET = 'secret'
  t.after(() => delete process.env.HOLDALL_TEST_SECRET)
  const users = { ann: { scope: '/of-ann' } }
  const settings = () => ({ commands: { after_upload: [line] } })
  const app = await startWithHooks(t, settings, { users, files: { 'of-ann/x': '' } })
  await (await app.as('ann')).upload('/a', '1')
  const [{ env, input } = { env: {} as Record<string, string>, input: 'none' }] = runs()
  assert.deepEqual(Object.keys(env).sort(), ['DESTINATION', 'FILE', 'HOME', 'LANG', 'PATH', 'SCOPE', 'TRIGGER', 'USERNAME'])
  assert.deepEqual(
    [env.FILE, env.SCOPE, env.TRIGGER, env.USERNAME, env.DESTINATION, input],
    [join(app.root, 'of-ann/a'), '/of-ann', 'after_upload', 'ann', join(app.root, 'of-ann'), ''],
  )
})

test('without --enable-exec nothing runs', async (t) => {
  const { line, names } = recorder(t)
  const settings = () => ({ commands: { before_upload: [line, 'false'], after_upload: [line] } })
  const app = await startWithHooks(t, settings, { options: { enableExec: false } })
  assert.equal((await (await app.as('ann')).upload('/a', '1')).status, 200)
  assert.deepEqual(names(), [])
})

test('the page says whether commands run', async (t) => {
  for (const enableExec of [true, false]) {
    const app = await startApp(t, { options: { enableExec } })
    const page = await (await app.principal().ask('GET', '/', { headers: { Accept: 'text/html' } })).text()
    assert.ok(page.includes(`"EnableExec":${enableExec}`))
  }
})

test('a command before a change refuses it with what it wrote: 403, and nothing has changed', async (t) => {
  const app = await startWithHooks(t, () => ({ commands: { before_upload: [`sh -c 'echo "no $USERNAME, never"; exit 3'`] } }))
  const answer = await (await app.as('ann')).upload('/a', '1')
  assert.deepEqual([answer.status, await answer.text()], [403, '403 Forbidden (no ann, never)\n'])
  assert.equal(answer.headers.get('X-Refusal'), 'code=hookRefused&said=no+ann%2C+never')
  assert.deepEqual(await harvest(app.root), {})
  assert.deepEqual(app.events, ['failed upload /a'])
})

test('a refused overwrite and delete keep the old file', async (t) => {
  const commands = Object.fromEntries(triggers.filter((name) => name.startsWith('before')).map((name) => [name, ['false']]))
  const files = { a: 'old', b: 'other', 'd/e': 'e' }
  const app = await startWithHooks(t, () => ({ commands }), { files })
  const ann = await app.as('ann')
  for (const answer of [
    await ann.upload('/a', 'new', 'override=true'),
    await ann.save('/a', 'new'),
    await ann.copy('/b', '/a', 'override=true'),
    await ann.move('/b', '/a', 'override=true'),
    await ann.remove('/a'),
    await ann.remove('/d'),
  ]) {
    assert.equal(answer.status, 403)
  }
  assert.deepEqual(await harvest(app.root), files)
})

test('what a refusal shows is printable and at most 200 characters', async (t) => {
  const { script } = hookFolder(t)
  const line = script('loud', `fs.writeSync(2, '\\u001b[31mno\\u0007\\n\\u202e<b>\\r\\n' + 'ä'.repeat(1000)); process.exit(1)`)
  const app = await startWithHooks(t, () => ({ commands: { before_upload: [line] } }))
  const text = await (await (await app.as('ann')).upload('/a', '1')).text()
  const shown = /^403 Forbidden \((.*)\)\n$/.exec(text)?.[1] ?? ''
  assert.equal(shown, `[31mno <b> ${'ä'.repeat(189)}`)
  assert.equal(shown.length, 200)
})

test('commands run in order, and after one that fails no more', async (t) => {
  const place = hookFolder(t)
  const add = (text: string) => `sh -c 'echo ${text} >> ${place.folder}/order'`
  let lines = [add('a'), '  ', add('b'), add('c')]
  const app = await startWithHooks(t, () => ({ commands: { before_upload: lines } }))
  const ann = await app.as('ann')
  assert.equal((await ann.upload('/a', '1')).status, 200)
  assert.equal(place.read('order'), 'a\nb\nc\n')
  lines = [add('d'), 'false', add('e')]
  assert.equal((await ann.upload('/b', '1')).status, 403)
  assert.equal(place.read('order'), 'a\nb\nc\nd\n')
})

test('a program that is missing, a quote that is not closed and a limit refuse with a sentence that names no path', async (t) => {
  let line = ''
  const app = await startWithHooks(t, () => ({
    commands: { before_upload: [line] },
    limits: { milliseconds: 60_000, bytes: 100 },
  }))
  const ann = await app.as('ann')
  for (const [text, sentence] of [
    ['/no/such/program', 'could not be run'],
    ["echo 'a", 'could not be run'],
    [`sh -c 'yes'`, 'wrote too much'],
    ['false', 'refused it'],
  ] as const) {
    line = text
    const answer = await ann.upload('/a', '1')
    assert.deepEqual([answer.status, await answer.text()], [403, `403 Forbidden (a command of the server ${sentence})\n`])
  }
})

test('a command after a change that fails is logged, and the change stands', async (t) => {
  const app = await startWithHooks(t, () => ({ commands: { after_upload: ['false'], after_delete: ['/no/such'] } }))
  const ann = await app.as('ann')
  assert.equal((await ann.upload('/a', '1')).status, 200)
  assert.equal((await ann.read('/a')).content, '1')
  assert.equal((await ann.remove('/a')).status, 200)
  assert.deepEqual(await harvest(app.root), {})
})

test('a line that ends in & runs in the background: the change waits for nothing, and its result counts for nothing', async (t) => {
  const place = hookFolder(t)
  const wait = `sh -c 'until test -e ${place.folder}/go; do sleep 0.02; done; echo done > ${place.folder}/out; exit 1' &`
  const app = await startWithHooks(t, () => ({ commands: { before_upload: [wait] } }))
  assert.equal((await (await app.as('ann')).upload('/a', '1')).status, 200)
  assert.equal(place.read('out'), undefined)
  place.write('go', '')
  await until(() => place.read('out') === 'done\n', 'the background command ends by itself')
})

test('who may not make a change starts no command', async (t) => {
  const { line, names } = recorder(t)
  const commands = Object.fromEntries(triggers.map((name) => [name, [line]]))
  const users = { ann: { perm: { ...usual, create: false, modify: false, rename: false, delete: false } }, bob: {} }
  const app = await startWithHooks(t, () => ({ commands }), { users, files: { a: '1', hidden: '2' }, rules: [deny('/hidden')] })
  const [ann, bob] = [await app.as('ann'), await app.as('bob')]
  for (const answer of [
    await ann.upload('/b', '1'),
    await ann.save('/a', '1'),
    await ann.copy('/a', '/b'),
    await ann.move('/a', '/b'),
    await ann.remove('/a'),
    await bob.save('/hidden', '1'),
    await bob.copy('/hidden', '/b'),
    await bob.remove('/hidden'),
    await bob.upload('/a', '1'),
  ]) {
    assert.ok(answer.status === 403 || answer.status === 409, `${answer.status}`)
  }
  assert.deepEqual(names(), [])
})

test('a command may change the folder that a change of the same name waits in: names are not locked while it runs', async (t) => {
  const place = hookFolder(t)
  const app = await startWithHooks(t, () => ({
    commands: { before_upload: [`sh -c 'touch ${place.folder}/began; until test -e ${place.folder}/go; do sleep 0.02; done'`] },
  }))
  const ann = await app.as('ann')
  const waiting = ann.upload('/a', '1')
  await until(() => existsSync(join(place.folder, 'began')), 'the command has begun')
  assert.equal((await ann.copy('/missing', '/a')).status, 404)
  const made = join(app.root, 'a')
  place.write('go', '')
  assert.equal((await waiting).status, 200)
  assert.ok(existsSync(made))
})
