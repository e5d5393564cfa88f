// What is said of a job.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import './workspace.ts'
import type { Job } from '../../src-server/contract/jobs.ts'
import { isPartKnown, partOf } from '../../src-ui/jobs/how-far.ts'
import { headingOf, stateOf, titleOf } from '../../src-ui/jobs/job-words.ts'

function job(given: Partial<Job> = {}): Job {
  const counts = { entries: 2, done: 0, failed: 0, skipped: 0, asked: 0 }
  const about = { id: 'one', kind: 'copy', state: 'running', first: '/a', to: '/d', startedAt: 1, changedAt: 1 } as const
  return { ...about, ...counts, ...given }
}

test('a job says what it does with what, and how far it is', () => {
  const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '').replaceAll('\u00a0', ' ')
  const progress = { files: 50, ofFiles: 200, bytes: 0, left: 60, seconds: 20, name: 'x' }
  const known = { ...progress, bytes: 6.1e9, ofBytes: 14.9e9, speed: 2e6 }
  const cases: [Partial<Job>, string, string][] = [
    [{ entries: 1, progress }, 'Copying “a” to “d”', '50 of 200 items · 60 sec left'],
    [{ entries: 1, progress: known }, 'Copying “a” to “d”', '50 of 200 items · 6.1 GB of 14.9 GB · 2 MB/s · 60 sec left'],
    [{ entries: 1, kind: 'delete', progress: known }, 'Deleting “a”', '50 of 200 items · 60 sec left'],
    [
      { entries: 1, progress: { ...progress, ofFiles: 100_001 } },
      'Copying “a” to “d”',
      '50 of 100,001 items · 60 sec left · Too large to be undone',
    ],
    [
      { entries: 1, kind: 'extract', progress: known },
      'Extracting “a”',
      '50 of 200 items · 6.1 GB of 14.9 GB · 2 MB/s · 60 sec left',
    ],
    [
      { kind: 'extract', state: 'paused', entries: 1, progress: { ...progress, again: 2e9 } },
      'Extracting “a”',
      'Paused · 50 of 200 items',
    ],
    [{ kind: 'delete', state: 'paused', done: 1 }, 'Deleting 2 items', 'Paused · 1 of 2 items'],
    [{ kind: 'move', state: 'ended', done: 2, to: '/' }, '2 items moved to “My files”', ''],
    [{ kind: 'delete', trash: true, state: 'ended', done: 2 }, '2 items moved to the trash', ''],
    [{ kind: 'undo', entries: 1, state: 'ended', done: 1 }, 'Undone', ''],
    [{ kind: 'undo', redo: true, entries: 1, state: 'ended', done: 1 }, 'Redone', ''],
    [{ kind: 'undo', entries: 1, state: 'ended', done: 1, unchanged: 1 }, 'Nothing was undone', ''],
    [{ state: 'cancelled', done: 1, skipped: 1 }, 'Copying 2 items to “d”', 'Cancelled · 1 of 2 items'],
    // Of two folders none is whole, and what was copied is there.
    [{ state: 'cancelled', progress }, 'Copying 2 items to “d”', 'Cancelled · 50 of 200 items'],
    [{ state: 'cancelled', entries: 1, progress }, 'Copying “a” to “d”', 'Cancelled · 50 of 200 items'],
    [
      { state: 'paused', entries: 1, progress: known },
      'Copying “a” to “d”',
      'Paused · 50 of 200 items · 6.1 GB of 14.9 GB · 2 MB/s',
    ],
    [
      { state: 'paused', progress: { ...progress, bytes: 6.1e9, ofBytes: 14.9e9, again: 2e9 } },
      'Copying 2 items to “d”',
      'Paused · 50 of 200 items · 6.1 GB of 14.9 GB · 2 GB will be copied again',
    ],
    [{ kind: 'delete', state: 'paused', done: 1, progress }, 'Deleting 2 items', 'Paused · 50 of 200 items'],
    [{ state: 'interrupted', entries: 1 }, 'Copying “a” to “d”', 'Interrupted: the server was restarted'],
    [{ entries: 1 }, 'Copying “a” to “d”', '0 of 1 item'],
  ]
  for (const [given, title, state] of cases)
    assert.deepEqual([plain(titleOf(job(given))), plain(stateOf(job(given)))], [title, state])
  assert.equal(partOf(job({ progress: { ...known, bytes: 3, ofBytes: 4 } })), 0.75)
  assert.equal(partOf(job({ kind: 'delete', progress: known })), 0.25)
  // What folders hold is being counted: half of two folders may be a thousandth of all.
  const counting = job({ progress: { ...progress, isCounting: true } })
  assert.deepEqual([partOf(counting), plain(stateOf(counting))], [undefined, '50 items · 60 sec left'])
  assert.equal(isPartKnown({ ...counting, state: 'paused' }), false)
  // An empty bar would say that nothing of the folder is done.
  assert.equal(isPartKnown(job({ state: 'interrupted', entries: 1 })), false)
  assert.equal(isPartKnown(job({ state: 'paused', entries: 1, progress })), true)
  assert.equal(isPartKnown(job({ state: 'interrupted', entries: 2 })), true)
})

test('the heading counts what runs; else it says what is waited for, or how all have ended', () => {
  const cases: [Job['state'][], string][] = [
    [['running', 'waiting', 'paused', 'interrupted', 'asking'], 'Under way: 2'],
    [['paused', 'ended'], 'Paused'],
    [['paused', 'interrupted'], 'Interrupted: the server was restarted'],
    [['asking', 'interrupted'], 'Waiting for your answer'],
    [['cancelled', 'cancelled'], 'Cancelled'],
    [['ended', 'cancelled'], 'Finished'],
    [['cancelled', 'ended'], 'Cancelled'],
  ]
  for (const [states, heading] of cases) assert.equal(headingOf(states.map((state) => job({ state }))), heading)
  assert.equal(headingOf([job({ state: 'cancelled', failed: 1 })]), 'Finished, with errors')
})
