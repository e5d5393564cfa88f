// What the panel of jobs says of the entries with which a job has failed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import './workspace.ts'
import { failureLines } from '../../src-ui/jobs/failure-lines.ts'

const failed = (code: string, ...paths: string[]) => paths.map((path) => ({ path, code, message: code }))
const nameOf = (path: string) => path.slice(1)
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
    linesOf(entries, 2, (path) => (path === '/a' ? 'a' : '')),
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
