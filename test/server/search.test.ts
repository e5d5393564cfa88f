// `GET /api/search/*` on a real server and disk.
import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Limits } from '../../src-server/api/limits.ts'
import { Operation } from '../../src-server/base/operation.ts'
import type { SearchResult } from '../../src-server/contract/search.ts'
import { encoded, type PrincipalCalls } from '../support/as-principal.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { deny, only, startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const asLines = { Accept: 'application/x-ndjson' }

const searching = (who: PrincipalCalls, query: string, { at = '/', headers = {} } = {}) =>
  who.ask('GET', `/api/search${encoded(at)}?query=${encodeURIComponent(query)}`, { headers })

async function resultsOf(who: PrincipalCalls, query: string, at?: string): Promise<SearchResult[]> {
  const answer = await searching(who, query, { ...(at && { at }) })
  assert.equal(answer.status, 200)
  return (await answer.json()) as SearchResult[]
}

const pathsOf = async (...asked: Parameters<typeof resultsOf>) => (await resultsOf(...asked)).map(({ path }) => path)

/** The lines of an answer, without the empty ones. */
async function linesOf(answer: Response): Promise<Record<string, unknown>[]> {
  assert.equal(answer.headers.get('Content-Type'), 'application/x-ndjson; charset=utf-8')
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

const files = { 'sub/c.json': '{}', 'sub/Report.pdf': 'x'.repeat(300), 'report/inside.txt': '', 'z report.txt': '' }

test('the answer is an array of what is found, with its folder flag and its path below the searched folder', async (t) => {
  const ann = await (await startApp(t, { files })).as('ann')
  const answer = await searching(ann, 'c.json')
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8')
  const [{ modified, mode, ...rest } = {} as SearchResult, ...others] = (await answer.json()) as SearchResult[]
  assert.deepEqual(others, [])
  assert.ok(Date.parse(modified) > 0 && mode > 0)
  assert.deepEqual(rest, {
    dir: false,
    path: 'sub/c.json',
    name: 'c.json',
    size: 2,
    extension: '.json',
    isSymlink: false,
    type: 'text',
    marks: [[0, 6]],
  })
  assert.deepEqual(await pathsOf(ann, 'report'), ['report', 'sub/Report.pdf', 'z report.txt'])
  assert.deepEqual(await pathsOf(ann, 'report', '/sub'), ['Report.pdf'])
  assert.deepEqual(
    (await resultsOf(ann, 'report type:folder')).map(({ dir, path }) => [dir, path]),
    [[true, 'report']],
  )
})

test('filters alone find everything that fits, and an empty query finds nothing', async (t) => {
  const ann = await (await startApp(t, { files })).as('ann')
  assert.deepEqual(await pathsOf(ann, 'type:pdf'), ['sub/Report.pdf'])
  assert.deepEqual(await pathsOf(ann, 'size:>100'), ['sub/Report.pdf'])
  assert.deepEqual(await pathsOf(ann, 'changed:<1d type:json'), ['sub/c.json'])
  for (const query of ['', '   ', '"', '""']) assert.deepEqual(await pathsOf(ann, query), [], query)
  assert.deepEqual(await (await ann.ask('GET', '/api/search/')).json(), [])
  assert.deepEqual(await (await ann.ask('GET', '/api/search?query=c.json')).json(), await resultsOf(ann, 'c.json'))
})

test('nothing is found in a folder that does not exist and in a file, as existing clients expect', async (t) => {
  const ann = await (await startApp(t, { files })).as('ann')
  assert.deepEqual(await pathsOf(ann, 'c', '/none'), [])
  assert.deepEqual(await pathsOf(ann, 'c', '/sub/c.json'), [])
})

test('a query that cannot be read is answered with what is wrong', async (t) => {
  const ann = await (await startApp(t)).as('ann')
  for (const headers of [{}, asLines]) {
    const answer = await searching(ann, 'size:big', { headers })
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /^400 Bad Request \(size: needs a number of bytes/)
  }
  assert.equal((await searching(ann, 'x'.repeat(1001))).status, 400)
  assert.equal((await ann.ask('GET', '/api/search/..%2f?query=x')).status, 400)
  assert.equal((await ann.ask('GET', '/api/search/?query=x&query=y')).status, 400)
})

test('JSON lines are sent to those who accept them, each result once', async (t) => {
  const ann = await (await startApp(t, { files })).as('ann')
  const lines = await linesOf(await searching(ann, 'report', { headers: asLines }))
  const array = await resultsOf(ann, 'report')
  const byPath = (one: { path?: unknown }, other: { path?: unknown }) => (String(one.path) < String(other.path) ? -1 : 1)
  assert.deepEqual(lines.sort(byPath), array)
  assert.equal(await (await searching(ann, 'nothing like it', { headers: asLines })).text(), '')
})

test('names of every kind are found and sent as they are', async (t) => {
  const app = await startApp(t, { files: Object.fromEntries(nastyNames.map((name) => [`in/${name}`, ''])) })
  const ann = await app.as('ann')
  const wanted = nastyNames.map((name) => `in/${name}`).sort()
  assert.deepEqual((await pathsOf(ann, 'type:file')).sort(), wanted)
  const lines = await linesOf(await searching(ann, 'type:file', { headers: asLines }))
  assert.deepEqual(lines.map(({ path }) => path).sort(), wanted)
})

describe('what a person may not see', () => {
  test('is not found, whatever it is called and however it is reached', async (t) => {
    const hidden = { 'a/secret/found.txt': '', 'a/found.txt': '', 'l/': '', found: { link: 'a/secret' } }
    const app = await startApp(t, { files: hidden, rules: [deny('/a/secret')] })
    symlinkSync(join(app.folder), join(app.root, 'l', 'found-outside'))
    symlinkSync('../a/secret/found.txt', join(app.root, 'l', 'found-secret'))
    const ann = await app.as('ann')
    assert.deepEqual(await pathsOf(ann, 'found'), ['a/found.txt'])
    assert.deepEqual(await pathsOf(ann, 'secret'), [])
    assert.equal((await searching(ann, 'found', { at: '/a/secret' })).status, 403)
    assert.equal((await searching(ann, 'found', { at: '/a/secret/none' })).status, 403)
    assert.equal((await searching(ann, 'found', { at: '/found' })).status, 403)
    assert.equal((await searching(ann, 'found', { at: '/l/found-outside' })).status, 403)
  })

  test('is not found above the own scope, nor is a file of the server', async (t) => {
    const app = await startApp(t, {
      files: { 'ann/mine.txt': '', 'bob/mine.txt': '', 'ann/up': { link: '../bob' } },
      users: { ann: { scope: '/ann' }, root: { perm: only('admin') } },
      options: ({ root }) => ({ database: join(root, 'state.json'), cacheDir: join(root, 'cache') }),
    })
    assert.deepEqual(await pathsOf(await app.as('ann'), 'mine'), ['mine.txt'])
    assert.deepEqual(await pathsOf(await app.as('ann'), 'up'), [])
    const root = await app.as('root')
    assert.deepEqual(await pathsOf(root, 'state'), [])
    assert.deepEqual(await pathsOf(root, 'cache'), [])
  })
})

test('at most 10,000 results are sent, and that there are more is told in both forms', async (t) => {
  const app = await startApp(t, { files: { 'd/': '' } })
  for (let index = 0; index < 10_000; index++) writeFileSync(join(app.root, 'd', `${index}`), '')
  const ann = await app.as('ann')
  const whole = await searching(ann, 'type:file')
  assert.equal(whole.headers.get('X-More-Results'), null)
  assert.equal(((await whole.json()) as SearchResult[]).length, 10_000)
  writeFileSync(join(app.root, 'one more'), '')
  const answer = await searching(ann, 'type:file')
  assert.equal(answer.headers.get('X-More-Results'), 'results')
  assert.equal(((await answer.json()) as SearchResult[]).length, 10_000)
  const lines = await linesOf(await searching(ann, 'type:file', { headers: asLines }))
  assert.equal(lines.length, 10_001)
  assert.deepEqual(lines.at(-1), { more: 'results' })
})

test('two searches of a person run, two wait, and one beyond that is refused', async (t) => {
  const app = await startApp(t, { files, users: { ann: {}, bob: {} } })
  const id = userIn(app.parts.state, 'ann')?.id as number
  const operations = Array.from({ length: 4 }, () => new Operation())
  const entered = operations.map((operation) => app.parts.api.limits.enter('searches', id, operation))
  const refused = await searching(await app.as('ann'), 'report')
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('Retry-After'), '2')
  assert.equal((await searching(await app.as('bob'), 'report')).status, 200)
  await operations[0]?.end()
  const answer = searching(await app.as('ann'), 'report')
  for (const operation of operations) await operation.end()
  await Promise.all(entered)
  assert.equal((await answer).status, 200)
})

test('eight searches run in all', async () => {
  const limits = new Limits()
  const entered = Array.from({ length: 9 }, (_, person) => {
    const work = { isBegun: false, operation: new Operation(), begun: Promise.resolve() }
    work.begun = limits.enter('searches', person, work.operation).then(() => {
      work.isBegun = true
    })
    return work
  })
  await Promise.all(entered.slice(0, 8).map(({ begun }) => begun))
  assert.equal(entered[8]?.isBegun, false)
  await entered[0]?.operation.end()
  await entered[8]?.begun
})
