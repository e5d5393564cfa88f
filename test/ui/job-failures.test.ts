// What the panel of jobs says of the entries with which a job has failed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import './workspace.ts'
import { failureLines } from '../../src-ui/jobs/failure-lines.ts'
import { failedName, failureText } from '../../src-ui/jobs/job-words.ts'

type Failed = Parameters<typeof failureLines>[0][number]
const failed = (code: string, ...paths: string[]): Failed[] => paths.map((path) => ({ path, code, message: code }))
const nameOf = ({ path }: Failed) => path.slice(1)
const linesOf = (failures: ReturnType<typeof failed>, count = failures.length, named = nameOf) =>
  failureLines(failures, { count, nameOf: named }).map((line) => line.replace(/[\u2068\u2069]/g, ''))

const gone = 'It is no longer there.'
const forbidden = 'You don’t have permission to do this here.'

test('the same cause is said once, with the names or how many there are', () => {
  assert.deepEqual(linesOf([...failed('notFound', '/a'), ...failed('forbidden', '/b'), ...failed('notFound', '/c', '/d')]), [
    `a, c, and d: ${gone}`,
    `b: ${forbidden}`,
  ])
  assert.deepEqual(linesOf(failed('notFound', '/a', '/b', '/c', '/d', '/e')), [`a, b, and 3 more: ${gone}`])
})

test('entries whose names are not known are counted', () => {
  const entries = failed('notFound', '/a', '/b')
  assert.deepEqual(
    linesOf(entries, 2, () => ''),
    [`2 items: ${gone}`],
  )
  assert.deepEqual(
    linesOf(entries, 2, ({ path }) => (path === '/a' ? 'a' : '')),
    [`a and 1 more: ${gone}`],
  )
  assert.deepEqual(
    linesOf(failed('forbidden', '/a'), 1, () => ''),
    [forbidden],
  )
})

test('five causes are told, and how many entries there are besides', () => {
  const failures = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].flatMap((code) => failed(code, `/${code}`))
  const lines = linesOf(failures, 9)
  assert.deepEqual([lines.length, lines.at(-1)], [6, '4 more'])
  assert.deepEqual(linesOf([], 3), [])
})

test('what failed in a folder of which the rest is moved is named with its path in it, and counted', () => {
  const inside = failed('full', '/x/d/2', '/x/d/e/4').map((one) => ({ ...one, of: '/x/d' }))
  assert.deepEqual(
    linesOf([...inside, ...failed('full', '/x/a')], 3, failedName).map((line) => line.split(':')[0]),
    ['d/2, d/e/4, and a'],
  )
  const counts = { entries: 2, done: 0, failed: 2, skipped: 0, asked: 0 }
  const about = { id: 'one', kind: 'move', state: 'ended', first: '/x/d', to: '/t', startedAt: 1, changedAt: 1 } as const
  const job = { ...about, ...counts }
  const details = {
    ...job,
    questions: [],
    failures: [...inside, ...failed('full', '/x/a')],
    leftOut: [],
    renamed: [],
    values: [],
  }
  assert.deepEqual(
    [failureText(job), failureText(job, details), failureText(job, { ...details, moreFailures: 2 })],
    ['2 items were not moved', '3 items were not moved', '5 items were not moved'],
  )
})
