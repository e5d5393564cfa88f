// Messages name the cause of a refusal, and count only what was created.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf } from '../../src-server/disk/errno.ts'
import { HttpFailure } from '../../src-ui/api/http.ts'
import { failureReason, isSystemRefusal, uploadFailureReason } from '../../src-ui/core/failure-reason.ts'
import { startQueue, upload } from './start-queue.ts'

/** The server's message for a system error. */
function sentenceFor(code: string): string {
  const failure = failureOf(Object.assign(new Error(code), { code, syscall: 'open' }))
  assert.ok(failure instanceof Error)
  return `403 Forbidden (${failure.message})`
}

for (const code of ['EACCES', 'EPERM', 'EROFS'])
  test(`a folder that the server may not read (${code}) is not "a rule keeps it"`, () => {
    const refused = new HttpFailure(403, sentenceFor(code))
    assert.ok(isSystemRefusal(refused))
    assert.match(failureReason(refused), /^The server’s operating system does not allow this/)
    assert.match(uploadFailureReason(refused), /^The server is not allowed to write here/)
  })

test('the refusal of a rule or a missing permission is not attributed to the system', () => {
  for (const sentence of ['403 Forbidden', '403 Forbidden (you may not modify here)'])
    assert.equal(failureReason(new HttpFailure(403, sentence)), 'You don’t have permission to do this here.')
})

test('a folder that existed already does not count as created', async () => {
  const { queue, sent, ends } = startQueue()
  const existing = { size: 0, modified: '2026-01-01T00:00:00Z', isDir: true }
  queue.add([
    { path: '/there', into: '/', file: undefined, existing },
    { path: '/new', into: '/', file: undefined },
    upload('new/a'),
  ])
  for (const one of sent) await one.succeed()
  assert.deepEqual(ends, [{ files: 1, folders: 1, failed: 0, skipped: 0 }])
})
