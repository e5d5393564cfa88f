// How a search ends: in time, with what was found, and with its reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchLines } from '../../src-server/api/search-lines.ts'
import type { FoundResults } from '../../src-server/files/user-files.ts'
import { Matcher } from '../../src-server/search/matcher.ts'
import { readQuery } from '../../src-server/search/query.ts'
import { type SearchHow, search } from '../../src-server/search/search.ts'

type Facts = { name: string; isDir: boolean; size: number; modified: bigint }

const fact = (name: string): Facts => ({ name, isDir: false, size: 0, modified: 0n })
const matcher = new Matcher(readQuery('a', 0), () => undefined)
const failed = (error: unknown) => ({ error: String(error) })
const minute = 60_000
const never = new AbortController().signal

const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

async function searched(given: Partial<SearchHow<Facts>> & Pick<SearchHow<Facts>, 'walk'>) {
  const names: string[] = []
  let more: string | undefined
  for await (const found of search({ matcher, signal: never, most: 10, longest: minute, ...given })) {
    if ('more' in found) more = found.more
    else names.push(...found.entries.map(({ name }) => name))
  }
  return { names, more }
}

test('a search that takes too long ends with what it has found, and says that there may be more', async () => {
  let isStopped = false
  const { names, more } = await searched({
    longest: 1,
    walk: async function* ({ signal }) {
      yield [fact('a1'), fact('a2')]
      await whenAborted(signal).finally(() => {
        isStopped = true
      })
    },
  })
  assert.deepEqual([names, more, isStopped], [['a1', 'a2'], 'time', true])
})

test('a search whose reader has gone stops with the reason, and the walk ends', async () => {
  const abort = new AbortController()
  let isOver = false
  const walk: SearchHow<Facts>['walk'] = async function* ({ signal }) {
    try {
      yield [fact('a')]
      abort.abort(new Error('the client went'))
      await whenAborted(signal)
    } finally {
      isOver = true
    }
  }
  await assert.rejects(searched({ signal: abort.signal, walk }), /the client went/)
  assert.equal(isOver, true)
})

test('a search ends at its last permitted result, and the walk with it', async () => {
  let walked = 0
  const walk: SearchHow<Facts>['walk'] = async function* () {
    for (; ; walked++) yield [fact(`a${walked}`), fact('a')]
  }
  const { names, more } = await searched({ most: 5, walk })
  assert.equal(names.length, 5)
  assert.equal(more, 'results')
  assert.ok(walked < 5)
})

test('a search says that folders could not be read, and nothing when all was found', async () => {
  const walk: SearchHow<Facts>['walk'] = async function* ({ onUnread }) {
    onUnread()
    yield [fact('a')]
  }
  assert.deepEqual(await searched({ walk }), { names: ['a'], more: 'unread' })
  const whole = async function* () {
    yield [fact('a')]
  }
  assert.deepEqual(await searched({ most: 1, walk: whole }), { names: ['a'], more: undefined })
})

test('an error of the walk is the error of the search', async () => {
  const walk: SearchHow<Facts>['walk'] = async function* () {
    yield [fact('a')]
    throw new Error('a broken disk')
  }
  await assert.rejects(searched({ walk }), /a broken disk/)
})

test('a line is sent as soon as it is found, and empty lines while nothing more comes', async () => {
  const go = Promise.withResolvers<void>()
  let isOver = false
  async function* found(): AsyncGenerator<FoundResults> {
    try {
      yield { results: [{ path: 'a\nb' } as never] }
      await go.promise
      yield { more: 'time' }
    } finally {
      isOver = true
    }
  }
  const lines = searchLines(found(), { failed, pulse: 1 })
  assert.equal((await lines.next()).value, '{"path":"a\\nb"}\n')
  assert.equal((await lines.next()).value, '\n')
  assert.equal((await lines.next()).value, '\n')
  go.resolve()
  const rest = (await Array.fromAsync(lines)).filter((text) => text !== '\n')
  assert.deepEqual(rest, ['{"more":"time"}\n'])
  assert.equal(isOver, true)
})

test('lines that are no longer wanted end the search', async () => {
  let isOver = false
  async function* found(): AsyncGenerator<FoundResults> {
    try {
      for (;;) yield { results: [] }
    } finally {
      isOver = true
    }
  }
  const lines = searchLines(found(), { failed })
  await lines.next()
  await lines.return(undefined)
  assert.equal(isOver, true)
})

test('a search that fails when lines were sent says so in its last line', async () => {
  async function* found(): AsyncGenerator<FoundResults> {
    yield { results: [{ path: 'a' } as never] }
    throw new Error('broken')
  }
  assert.deepEqual(await Array.fromAsync(searchLines(found(), { failed })), ['{"path":"a"}\n', '{"error":"Error: broken"}\n'])
})
