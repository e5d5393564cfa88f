// Each act on a public link, and each command of an event, leaves its line in a log, whatever the names are.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ActivityEntry } from '../../src-server/activity/activity-line.ts'
import { hookReport } from '../../src-server/listeners/hooks.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { picture } from '../support/pictures.ts'
import { downloaded, share } from '../support/share-calls.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const names = ['\u202egpj.exe', 'a\n{"who":"root"}', '$(touch x)', ...nastyNames]

/** The lines of these kinds; each is one line of JSON without control and direction characters. */
function linesOf({ root }: TestApp, kinds: readonly string[]): ActivityEntry[] {
  const file = join(root, 'activity.log')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  assert.match(text.replaceAll('\n', ''), /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u)
  const entries = text.split('\n').filter(Boolean)
  return entries.map((line) => JSON.parse(line) as ActivityEntry).filter(({ what }) => kinds.includes(what))
}

test('a link that is made, changed, downloaded by a visitor and deleted leaves a line each, with any name', async (t) => {
  const app = await startApp(t, { options: ({ root }) => ({ auditLog: join(root, 'activity.log') }) })
  const ann = await app.as('ann')
  for (const name of names) {
    assert.equal((await ann.upload(`/${name}`, '1')).status, 200, name)
    const { hash } = await share(ann, `/${name}`)
    assert.equal((await ann.ask('PATCH', `/api/share/${hash}`, { body: '{"password":"rhubarb crumble"}' })).status, 200)
    assert.equal((await ann.ask('PATCH', `/api/share/${hash}`, { body: '{"password":""}' })).status, 200)
    assert.deepEqual(await downloaded(app.principal(), hash), [200, '1'])
    assert.equal((await ann.ask('DELETE', `/api/share/${hash}`)).status, 200)
  }
  const kinds = ['share', 'shareChange', 'unshare', 'download']
  await until(() => linesOf(app, kinds).length === names.length * 5, 'all lines are written')
  const told = linesOf(app, kinds).map(({ what, path, who, way, result }) => [what, path, who, way, result].join(' '))
  const acts = [
    ...['share', 'shareChange', 'shareChange'].map((what) => [what, 'page']),
    ...[
      ['download', 'share'],
      ['unshare', 'page'],
    ],
  ]
  assert.deepEqual(
    told,
    names.flatMap((name) => acts.map(([what, way]) => `${what} /${name} ann ${way} done`)),
  )
  assert.doesNotMatch(readFileSync(join(app.root, 'activity.log'), 'utf8'), /rhubarb/)
})

test('wrong passwords of a link are joined to one line for a minute, and visitors who see small pictures alone leave one', async (t) => {
  const options = ({ root }: { root: string }) => ({ auditLog: join(root, 'activity.log') })
  const app = await startApp(t, { files: { 'd/red.png': await picture('png', 40, 30) }, options })
  const ann = await app.as('ann')
  const [locked, open] = [await share(ann, '/d', { password: 'rhubarb crumble' }), await share(ann, '/d/red.png')]
  const ask = (address: string, headers = {}) => app.principal().ask('GET', address, { headers })
  for (const password of ['one', 'two']) {
    const answer = await ask(`/api/public/share/${locked.hash}`, { 'X-SHARE-PASSWORD': password })
    assert.equal(answer.status, 401)
  }
  assert.equal((await ask(`/api/public/share/${locked.hash}`)).status, 401)
  const thumb = `/api/public/preview/thumb/${open.hash}`
  for (const agent of ['a', 'a', 'b']) assert.equal((await ask(thumb, { 'User-Agent': agent })).status, 200)
  assert.equal((await app.principal().ask('HEAD', thumb, { headers: { 'User-Agent': 'c' } })).status, 200)
  app.clock.advance({ minutes: 1 })
  await until(() => linesOf(app, ['visit']).length === 3, 'all lines are written')
  const told = linesOf(app, ['visit', 'download']).map(({ what, path, who, way, result, reason, count }) =>
    [what, path, who, way, result, reason, count].join(' ').trim(),
  )
  assert.deepEqual(told.sort(), [
    'visit /d ann share failed wrong password 2',
    'visit /d/red.png ann share done',
    'visit /d/red.png ann share done',
  ])
  const file = readFileSync(join(app.root, 'activity.log'), 'utf8')
  assert.doesNotMatch(file, /"(one|two)"/)
})

test('a change that a command refuses is a line with its reason, with any name', async (t) => {
  const commands = { before_delete: ['sh -c "echo not today; exit 3"'] }
  const app = await startApp(t, {
    options: ({ root }) => ({ auditLog: join(root, 'activity.log'), enableExec: true, execUnconfined: true }),
    services: { hookSettings: () => ({ shell: [], commands }) },
  })
  const ann = await app.as('ann')
  for (const name of names) {
    assert.equal((await ann.upload(`/${name}`, '1')).status, 200)
    assert.equal((await ann.remove(`/${name}`)).status, 403)
  }
  await until(() => linesOf(app, ['delete']).length === names.length, 'all lines are written')
  assert.deepEqual(
    linesOf(app, ['delete']).map(({ path, result, reason }) => [path, result, reason]),
    names.map((name) => [`/${name}`, 'failed', 'not today']),
  )
})

test('commands that end well are told, and those that fail, take too long, write too much or are not there are warned of', () => {
  const told: [string, string, unknown][] = []
  const write = (level: string) => (details: object, sentence: string) => void told.push([level, sentence, details])
  const report = hookReport({ info: write('info'), warn: write('warn') })
  const hook = { trigger: 'after_upload', line: 'record', user: 'ann', path: '/a\n\u202e', output: '', ms: 1 }
  report({ ...hook, outcome: 'ended', code: 0 })
  report({ ...hook, outcome: 'ended', code: 3 })
  for (const outcome of ['late', 'tooMuch', 'aborted', 'notStarted'] as const) report({ ...hook, outcome, code: null })
  assert.deepEqual(
    told.map(([level, sentence]) => `${level} ${sentence}`),
    ['info a command of an event ran', ...Array.from({ length: 5 }, () => 'warn a command of an event failed')],
  )
  assert.deepEqual(told[2]?.[2], { hook: { ...hook, outcome: 'late', code: null } })
})
