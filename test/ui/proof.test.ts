// Changes for which the server wants a fresh proof: the password is asked for once, in place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '../../src-ui/api/http.ts'
import { Overlays } from '../../src-ui/core/overlay.ts'
import { sendWithProof, Unconfirmed } from '../../src-ui/core/proof.ts'

// Only the code counts: the sentence may change.
const unproven = new HttpFailure(403, '403 Forbidden (a sentence)', { refusal: { code: 'proofNeeded', params: {} } })
const wrong = new HttpFailure(400, '400 Bad Request (another sentence)', { refusal: { code: 'wrongPassword', params: {} } })
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A change that the server answers by the password that came with it. */
function start(answers: Readonly<Record<string, unknown>>, asksAlways = false) {
  const overlays = new Overlays()
  const sent: (string | undefined)[] = []
  const send = async (password?: string) => {
    sent.push(password)
    const answer = answers[password ?? 'none']
    if (answer instanceof Error) throw answer
    return answer
  }
  const done = sendWithProof(overlays, send, asksAlways)
  const prompt = () => {
    const { value } = overlays.current
    return value.kind === 'confirmPassword' ? value : undefined
  }
  return { overlays, sent, done, prompt }
}

test('a change that needs no fresh proof asks for nothing', async () => {
  const { done, sent, prompt } = start({ none: 'changed' })
  assert.equal(await done, 'changed')
  assert.deepEqual([sent, prompt()], [[undefined], undefined])
})

test('a change that the server wants a proof for is sent again with the password, and a wrong one is asked for again', async () => {
  const { done, sent, prompt } = start({ none: unproven, wrong, right: 'changed' })
  await settled()
  await assert.rejects(prompt()?.attempt('wrong') ?? assert.fail(), wrong)
  assert.ok(prompt())
  await prompt()?.attempt('right')
  assert.equal(await done, 'changed')
  assert.deepEqual([sent, prompt()], [[undefined, 'wrong', 'right'], undefined])
})

test('the change of one’s own password asks before it is sent', async () => {
  const { done, sent, prompt } = start({ right: 'changed' }, true)
  await settled()
  assert.deepEqual(sent, [])
  await prompt()?.attempt('right')
  assert.equal(await done, 'changed')
})

test('without a password nothing is changed, and other refusals are those of the form', async () => {
  const given = start({ none: unproven })
  await settled()
  const rejected = assert.rejects(given.done, Unconfirmed)
  given.overlays.close()
  await rejected
  const taken = new HttpFailure(409, '409 Conflict (the name is taken)')
  const { done, prompt } = start({ none: unproven, right: taken })
  const refused = assert.rejects(done, taken)
  await settled()
  await prompt()?.attempt('right')
  await refused
  assert.equal(prompt(), undefined)
  await assert.rejects(start({ none: new HttpFailure(403, '403 Forbidden') }).done, { status: 403 })
})

test('a prompt that is closed while the password is checked tells what became of the change', async () => {
  for (const [answer, expected] of [
    ['changed', 'changed'],
    [wrong, Unconfirmed],
  ] as const) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const overlays = new Overlays()
    const done = sendWithProof(overlays, async (password) => {
      if (password === undefined) throw unproven
      await promise
      if (answer instanceof Error) throw answer
      return answer
    })
    await settled()
    const { value } = overlays.current
    const attempt = value.kind === 'confirmPassword' ? value.attempt('a password') : assert.fail()
    overlays.close('confirmPassword')
    const outcome =
      typeof expected === 'string' ? done.then((said) => assert.equal(said, expected)) : assert.rejects(done, expected)
    resolve()
    await Promise.all([attempt, outcome])
  }
})
