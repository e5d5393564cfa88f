// The captcha at sign-in and sign-up: asked before the password, and on the page of the sign-in alone.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { password, startApp } from '../support/start-app.ts'

let asked = 0
const host = createServer(async (request, response) => {
  asked += 1
  let body = ''
  for await (const chunk of request) body += chunk
  if (body.includes('response=down')) return void request.socket.destroy()
  response.end(JSON.stringify({ success: body === 'secret=secret&response=solved' }))
})
host.listen(0, '127.0.0.1')
await once(host, 'listening')
const captchaHost = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
const captcha = { host: captchaHost, key: 'site-key', secretFile: '/nowhere', secret: () => 'secret' }
const app = await startApp({ after }, { users: { root: { perm: allPermissions } }, options: { captcha } })
await app.parts.state.change('other', (draft) => {
  draft.settings = { ...draft.settings, signup: true, createUserDir: true }
})
after(() => {
  host.closeAllConnections()
  host.close()
})

async function post(call: 'login' | 'signup', body: object) {
  const answer = await app.principal().ask('POST', `/api/${call}`, { body: JSON.stringify(body) })
  return { status: answer.status, text: await answer.text() }
}
const root = { username: 'root', password }

test('a sign-in needs a solved captcha, whose host is asked before the password', async () => {
  assert.equal((await post('login', { ...root, recaptcha: 'solved' })).status, 200)
  assert.equal((await post('login', { ...root, recaptcha: 'guessed' })).status, 403)
  const hashed = app.parts.passwords
  let verified = 0
  const verify = hashed.verify.bind(hashed)
  hashed.verify = (...given) => {
    verified += 1
    return verify(...given)
  }
  const before = asked
  assert.equal((await post('login', root)).status, 403)
  assert.equal((await post('login', { ...root, recaptcha: 'guessed' })).status, 403)
  assert.deepEqual([asked - before, verified], [1, 0])
  assert.equal((await post('login', { ...root, password: 'wrong', recaptcha: 'solved' })).status, 403)
  assert.equal(verified, 1)
})

test('while the host is down a sign-in is 503 with the reason', async () => {
  const { status, text } = await post('login', { ...root, recaptcha: 'down' })
  assert.equal(status, 503)
  assert.match(text, /the captcha cannot be checked: its host cannot be reached/)
})

test('a sign-up needs one too, and the sign-in after it needs no second one, but only once', async () => {
  const ann = { username: 'ann', password }
  assert.equal((await post('signup', ann)).status, 403)
  assert.equal((await post('signup', { ...ann, recaptcha: 'guessed' })).status, 403)
  assert.equal((await post('signup', { ...ann, recaptcha: 'solved' })).status, 200)
  assert.equal((await post('login', ann)).status, 200)
  assert.equal((await post('login', ann)).status, 403)
  assert.equal((await post('signup', { username: 'ben', password, recaptcha: 'solved' })).status, 200)
  app.clock.advance({ seconds: 60 })
  assert.equal((await post('login', { username: 'ben', password })).status, 403)
})

test('the host is in the policy and the configuration of the sign-in alone', async () => {
  for (const [path, isThere] of [
    ['login', true],
    ['files/', false],
    ['login/x', false],
  ] as const) {
    const answer = await fetch(`${app.url}/${path}`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const directives = ['script-src', 'frame-src', 'connect-src'].map(
      (name) => `${name} 'self'${isThere ? ` ${captchaHost}` : ''};`,
    )
    assert.ok(
      directives.every((directive) => policy.includes(directive)),
      `${path}: ${policy}`,
    )
    const html = await answer.text()
    assert.equal(html.includes(`"ReCaptchaHost":"${isThere ? captchaHost : ''}"`), true)
    assert.match(html, /"ReCaptcha":true,"ReCaptchaKey":"site-key"/)
    assert.doesNotMatch(html, /"secret"/)
  }
})
