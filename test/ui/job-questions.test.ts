// What the page finds out about a name that a job asks about.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src-server/contract/jobs.ts'
import { factsOf } from '../../src-ui/jobs/question-kind.ts'
import { answering, type Reply } from './answering.ts'

const network = answering(import.meta.filename)

const json = (value: unknown): Reply => ({ text: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } })

test('a question about two folders is one about merging, and about a file and a folder none about replacing', async () => {
  const items = (...all: [name: string, isDir: boolean][]) => json({ items: all.map(([name, isDir]) => ({ name, isDir })) })
  network.replies['GET /api/resources/'] = items(['box', true], ['file', false])
  network.replies['GET /api/resources/d'] = items(['box', true], ['file', false], ['mixed', true])
  const kindOf = async (path: string, to: string, kind: Job['kind'] = 'copy') =>
    (await factsOf({ question: '1', path, to }, kind, new AbortController().signal)).kind
  assert.equal(await kindOf('/box', '/d/box'), 'merge')
  assert.equal(await kindOf('/file', '/d/file'), 'replace')
  assert.equal(await kindOf('/file', '/d/mixed'), 'mixed')
  assert.equal(await kindOf('an-id', '/d/box', 'restore'), 'makesWay')
  assert.equal(await kindOf('an-id', '/d/file', 'restore'), 'replace')
  assert.equal(await kindOf('/file', '/gone/file'), 'replace')
})

test('a question about two files has the size and the date of both, as far as they are known', async () => {
  const item = (name: string, size: number, modified: string) => ({ name, isDir: false, size, modified })
  network.replies['GET /api/resources/'] = json({ items: [item('a', 5, '2026-01-02T00:00:00Z')] })
  network.replies['GET /api/resources/d'] = json({ items: [item('a', 7, '2026-01-01T00:00:00Z')] })
  network.replies['GET /api/trash?path=%2Fd%2Fa'] = json({
    items: [
      { id: 'an-id', isDir: false, size: 3, modified: Date.UTC(2026, 0, 3) },
      { id: 'undated', isDir: false, size: 3 },
    ],
  })
  const { signal } = new AbortController()
  const there = { size: 7, modified: Date.UTC(2026, 0, 1) }
  const copied = await factsOf({ question: '1', path: '/a', to: '/d/a' }, 'copy', signal)
  assert.deepEqual(copied, { kind: 'replace', there, coming: { size: 5, modified: Date.UTC(2026, 0, 2) } })
  const restored = await factsOf({ question: '1', path: 'an-id', to: '/d/a' }, 'restore', signal)
  assert.deepEqual(restored, { kind: 'replace', there, coming: { size: 3, modified: Date.UTC(2026, 0, 3) } })
  const undated = await factsOf({ question: '1', path: 'undated', to: '/d/a' }, 'restore', signal)
  assert.deepEqual(undated, { kind: 'replace', there, coming: { size: 3, modified: Number.NaN } })
  assert.deepEqual(await factsOf({ question: '1', path: '/gone', to: '/d/a' }, 'copy', signal), {
    ...{ kind: 'replace', there },
    coming: undefined,
  })
})
