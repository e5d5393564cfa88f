// The captcha: what a stand-in for its host answers, and what follows from that.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Captcha } from '../../src-server/users/captcha.ts'
import { localhost } from '../support/certificates.ts'

/** Starts a stand-in for the host. @returns a captcha that asks it, and the requests */
async function standIn(t: TestContext, answer: RequestListener, isTls = false) {
  const asked: { url: string; body: string }[] = []
  const listener: RequestListener = async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push({ url: `${request.method} ${request.url}`, body })
    answer(request, response)
  }
  const server = isTls ? createTlsServer(localhost, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `${isTls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, captcha: new Captcha({ host, secret: 's&cret' }) }
}

const says = (body: string, status = 200): RequestListener => {
  return (_request, response) => void response.writeHead(status).end(body)
}

test('a solved captcha is accepted: the host is asked with secret and response', async (t) => {
  const { captcha, asked } = await standIn(t, says('{"success":true}'))
  await captcha.verify('tok en')
  assert.deepEqual(asked, [{ url: 'POST /recaptcha/api/siteverify', body: 'secret=s%26cret&response=tok+en' }])
})

test('one that is not solved is refused, and without a token the host is not asked', async (t) => {
  const { captcha, asked } = await standIn(t, says('{"success":false}'))
  await assert.rejects(captcha.verify('token'), { code: 'forbidden' })
  await assert.rejects(captcha.verify(''), { code: 'forbidden' })
  assert.equal(asked.length, 1)
})

const strange: readonly (readonly [what: string, answer: RequestListener, reason: RegExp])[] = [
  ['an error', says('{"success":true}', 500), /answered 500/],
  ['a text for a truth', says('{"success":"true"}'), /^$/],
  ['no JSON', says('<html>'), /no JSON/],
  ['null', says('null'), /no object/],
  ['more than 16 KiB', says(`{"success":true,"x":"${'x'.repeat(20_000)}"}`), /too long/],
  ['nothing', (_request, response) => void response.destroy(), /cannot be reached/],
]

for (const [what, answer, reason] of strange) {
  test(`a host that answers with ${what} lets nobody in`, async (t) => {
    const { captcha } = await standIn(t, answer)
    await assert.rejects(captcha.verify('token'), (error: Error & { code?: string }) => {
      assert.match(error.message, reason)
      assert.equal(error.code, reason.test('') ? 'forbidden' : 'busy')
      return true
    })
  })
}

test('a redirect is not followed', async (t) => {
  const elsewhere = await standIn(t, says('{"success":true}'))
  const { captcha } = await standIn(t, (_request, response) => void response.writeHead(307, { Location: '/else' }).end())
  await assert.rejects(captcha.verify('token'), /answered 307/)
  assert.deepEqual(elsewhere.asked, [])
})

test('a certificate that nobody vouches for is refused, also when the environment says otherwise', async (t) => {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  const { captcha, asked } = await standIn(t, says('{"success":true}'), true)
  await assert.rejects(captcha.verify('token'), { code: 'busy', message: /SELF_SIGNED_CERT/ })
  assert.deepEqual(asked, [])
})

test('a host that does not answer is given up, and sixteen are awaited at a time', async (t) => {
  const timeouts: number[] = []
  const controllers: AbortController[] = []
  t.mock.method(AbortSignal, 'timeout', (milliseconds: number) => {
    timeouts.push(milliseconds)
    controllers.push(new AbortController())
    return controllers.at(-1)?.signal
  })
  const { captcha } = await standIn(t, () => {})
  const waiting = Array.from({ length: 16 }, () => assert.rejects(captcha.verify('token'), /in time/))
  await assert.rejects(captcha.verify('token'), { code: 'busy', message: /too many captchas/ })
  for (const controller of controllers) controller.abort()
  await Promise.all(waiting)
  assert.deepEqual(timeouts, Array(16).fill(5000))
})
