// The number of entries of the folders that are shown: which are asked for, when, and what is dropped.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signal } from '@preact/signals-core'
import type { ItemCount } from '../../src-server/contract/files.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { ItemCounts } from '../../src-ui/listing/item-counts.ts'
import { until } from '../support/until.ts'

type Request = { folder: string; names: readonly string[]; signal: AbortSignal; answer(counts: Record<string, number>): void }

function start(t: TestContext) {
  const workspace = new Workspace(signal(null))
  t.after(() => workspace.dispose())
  const asked: Request[] = []
  const counts = new ItemCounts(workspace, (folder, names, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly ItemCount[]>()
    const answer = (known: Record<string, number>) =>
      resolve(Object.entries(known).map(([name, items]) => ({ name, items, hasMore: false })))
    signal.addEventListener('abort', () => reject(signal.reason))
    asked.push({ folder, names, signal, answer })
    return promise
  })
  const want = (path: string, modified = '1') => counts.want({ path, modified })
  return { asked, want }
}

test('the folders in view are asked for together, and what is not counted has no number', async (t) => {
  const { asked, want } = start(t)
  const [a, b] = [want('/x/a'), want('/x/b')]
  assert.equal(asked.length, 0)
  await until(() => asked.length === 1, 'they are asked for')
  assert.deepEqual([asked[0]?.folder, asked[0]?.names], ['/x', ['a', 'b']])
  asked[0]?.answer({ a: 3 })
  await until(() => a.state.value !== undefined, 'the number is there')
  assert.deepEqual([a.state.value, b.state.value], [{ items: 3, hasMore: false }, undefined])
})

test('32 folders are asked for at a time, and one call after the other', async (t) => {
  const { asked, want } = start(t)
  const wanted = Array.from({ length: 40 }, (_, index) => want(`/${index}`))
  await until(() => asked.length === 1, 'the first are asked for')
  assert.equal(asked[0]?.names.length, 32)
  asked[0]?.answer({ 0: 1 })
  await until(() => asked.length === 2, 'then the others')
  assert.deepEqual(asked[1]?.names, ['32', '33', '34', '35', '36', '37', '38', '39'])
  assert.equal(wanted[0]?.state.value?.items, 1)
})

test('rows that only pass by are not asked for, and a call for gone rows is stopped', async (t) => {
  const { asked, want } = start(t)
  want('/passing').release()
  const [a, b] = [want('/a'), want('/b')]
  await until(() => asked.length === 1, 'the others are asked for')
  assert.deepEqual(asked[0]?.names, ['a', 'b'])
  a.release()
  assert.equal(asked[0]?.signal.aborted, false)
  b.release()
  assert.equal(asked[0]?.signal.aborted, true)
  want('/c')
  await until(() => asked.length === 2, 'what is shown next is asked for')
  assert.deepEqual(asked[1]?.names, ['c'])
})

test('a known number is shown at once, and that of a changed folder until the new one comes', async (t) => {
  const { asked, want } = start(t)
  const first = want('/a')
  await until(() => asked.length === 1, 'it is asked for')
  asked[0]?.answer({ a: 1 })
  await until(() => first.state.value?.items === 1, 'the number is there')
  first.release()
  assert.equal(want('/a').state.value?.items, 1)
  const changed = want('/a', '2')
  assert.equal(changed.state.value?.items, 1)
  await until(() => asked.length === 2, 'the changed folder is asked for again')
  asked[1]?.answer({ a: 2 })
  await until(() => changed.state.value?.items === 2, 'the new number is there')
})

test('a folder that was not counted in time is asked for again, three times in all', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { asked, want } = start(t)
  want('/a')
  for (let times = 1; times <= 3; times++) {
    t.mock.timers.tick(3000)
    t.mock.timers.tick(3000)
    assert.equal(asked.length, times)
    asked[times - 1]?.answer({})
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  t.mock.timers.tick(60_000)
  assert.equal(asked.length, 3)
})

test('names are asked for in an address that every proxy takes, however long they are', async (t) => {
  const { asked, want } = start(t)
  const name = (index: number) => `${index}${'ä'.repeat(120)}`
  const paths = Array.from({ length: 12 }, (_, index) => `/x/${name(index)}`)
  for (const path of paths) want(path)
  const seen: string[] = []
  while (seen.length < paths.length) {
    const number = asked.length
    await until(
      () => asked.length > number || asked.some(({ names }) => !seen.includes(names[0] ?? '')),
      'the next are asked for',
    )
    const call = asked.at(-1) ?? assert.fail('nothing was asked for')
    const { search } = new URL(
      `http://holdall.test/?${new URLSearchParams({ names: call.names.map(encodeURIComponent).join(',') })}`,
    )
    assert.ok(search.length <= 6100, `${search.length} characters`)
    seen.push(...call.names)
    call.answer(Object.fromEntries(call.names.map((one) => [one, 1])))
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 12 }, (_, index) => name(index)),
  )
})
