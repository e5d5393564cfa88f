// Messages name the cause of a refusal, and count only what was created.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { failureOf } from '../../src-server/disk/errno.ts'
import { failureOf as answered, HttpFailure } from '../../src-ui/api/http.ts'
import { failureReason, isSystemRefusal } from '../../src-ui/core/failure-reason.ts'
import { english, locale } from '../../src-ui/i18n/locale.ts'
import { uploadFailureReason } from '../../src-ui/uploads/failure-cause.ts'
import { refused } from './refused.ts'
import { startQueue, upload } from './start-queue.ts'

for (const code of ['EACCES', 'EPERM', 'EROFS'])
  test(`a folder that the server may not read (${code}) is not "a rule keeps it"`, async () => {
    const error = failureOf(Object.assign(new Error(code), { code, syscall: 'open' }))
    const refusal = await refused(error as Failure)
    assert.ok(isSystemRefusal(refusal))
    assert.match(failureReason(refusal), /^The server’s operating system does not allow this/)
    assert.match(uploadFailureReason(refusal), /^The server is not allowed to write here/)
  })

test('a refusal that has a code is said in the words of the language, with its parameters', async () => {
  const taken = await refused(['conflict', 'a folder is in the way'])
  assert.equal(failureReason(taken), 'A folder already has this name.')
  assert.equal(uploadFailureReason(taken), 'A folder already has this name.')
  assert.equal(
    failureReason(await refused(['conflict', 'you have {{number}} links already', { number: 1500 }])),
    'You already have 1,500 links.',
  )
  // A name that is taken is said as before, by what was tried.
  assert.match(failureReason(await refused(['conflict', 'the name is taken'])), /^Another item there/)
  const german = JSON.parse(readFileSync(new URL('../../locales/de.json', import.meta.url), 'utf8'))
  locale.value = { code: 'de', dir: 'ltr', words: german }
  assert.equal(failureReason(taken), 'Ein Ordner hat diesen Namen bereits.')
  locale.value = english
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

test('what a command before a change wrote when it refused it is said, and not that a permission is missing', async () => {
  const failure = await refused(new Failure('forbidden', 'not on Fridays', { isWritten: true }))
  assert.equal(failureReason(failure), 'The server refused it: not on Fridays')
  assert.equal(uploadFailureReason(failure), 'The server refused it: not on Fridays')
})

test('what a proxy calls problem details and does not write as such is shown as it is', () => {
  const answer = { status: 502, statusText: 'Bad Gateway' }
  const type = () => 'application/problem+json'
  for (const text of ['<html>down</html>', '{"title":', 'null', '{"type":"about:blank"}'])
    assert.equal(answered(answer, text, type).message, text)
  assert.equal(answered(answer, '{"title":"Bad Gateway","status":502}', type).message, '502 Bad Gateway')
})

test('in every language the note about what a restored item replaces names the button', () => {
  const folder = new URL('../../locales/', import.meta.url)
  for (const file of readdirSync(folder)) {
    const { taken, replace } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')).prompts
    const at = taken.makesWay.indexOf(replace.replace)
    assert.ok(at >= 0 && at < 16, `${file}: ${taken.makesWay}`)
  }
})
