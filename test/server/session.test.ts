// Signing in, the credentials of a session, and what ends it.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { exchange, rawRequest } from '../support/raw-request.ts'
import { password, startApp } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'

const app = await startApp({ after }, { files: { 'a.txt': 'a' }, users: { ann: {}, ben: {} } })
const nobody = app.principal()
const login = (body: unknown, headers = {}) =>
  nobody.ask('POST', '/api/login', { body: typeof body === 'string' ? body : JSON.stringify(body), headers })
const ann = { username: 'ann', password }
const cookieName = `auth-${app.parts.state.data.instance}`
const cookieOf = (answer: Response) => answer.headers.get('set-cookie') ?? ''
const cookieValue = (answer: Response) => /^[^=]+=([^;]*)/.exec(cookieOf(answer))?.[1] ?? ''

test('a sign-in answers the token as text and sets the cookie', async () => {
  const answer = await login(ann)
  const token = await answer.text()
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(token.split('.').length, 3)
  const { user } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  assert.deepEqual([user.username, user.perm.create, user.password], ['ann', true, undefined])
  assert.match(cookieOf(answer), new RegExp(`^${cookieName}=[^;]+; Path=/; Max-Age=7200; HttpOnly; SameSite=Strict$`))
  assert.notEqual(cookieValue(answer), token)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
})

for (const [what, body] of [
  ['a wrong password', { username: 'ann', password: 'wrong' }],
  ['an unknown name', { username: 'zoe', password }],
  ['a name in another case', { username: 'ANN', password }],
  ['a name with a space', { username: 'ann ', password }],
  ['no password', { username: 'ann' }],
  ['nothing', {}],
  ['an empty body', ''],
  ['an object that does not end', '{'],
  ['a form', 'username=ann'],
  ['odd names', { username: '__proto__', password }],
] as const) {
  test(`${what} is 403, and always the same`, async () => {
    const answer = await login(body)
    assert.deepEqual([answer.status, await answer.text(), cookieOf(answer)], [403, '403 Forbidden\n', ''])
  })
}

for (const body of [
  '[]',
  '"ann"',
  '{"username":{"a":1}}',
  '{"__proto__":{"username":"ann"}}',
  `{"username":["ann"],"password":["${password}"]}`,
  '{"username":true}',
  '{"username":1}',
]) {
  test(`a body like ${body} is 400`, async () => {
    assert.equal((await login(body)).status, 400)
  })
}

for (const type of [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'nonsense',
  'a\tb',
  'application/json;charset=x',
  'APPLICATION/JSON ',
]) {
  test(`a sign-in sent as ${JSON.stringify(type)} is read as JSON`, async () => {
    const answer = await rawRequest({
      port: app.port,
      method: 'POST',
      address: '/api/login',
      headers: { 'Content-Type': type },
      body: JSON.stringify(ann),
    })
    assert.equal(answer.status, 200)
  })
}

for (const keys of [
  ['Username', 'Password'],
  ['USERNAME', 'PASSWORD', 'ReCaptcha'],
] as const) {
  test(`the keys of a sign-in count in any case: ${keys}`, async () => {
    const [name, secret, captcha = 'recaptcha'] = keys
    assert.equal((await login({ [name]: 'ann', [secret]: password, [captcha]: '' })).status, 200)
    assert.equal((await login({ [name]: ['ann'], [secret]: password })).status, 400)
  })
}

const form = 'application/x-www-form-urlencoded'

for (const [what, headers, status] of [
  ['a page of another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://evil.example' }, 403],
  ['a page of another site, in JSON', { 'Sec-Fetch-Site': 'cross-site', 'Content-Type': 'application/json' }, 403],
  ['a page of the same site with another host', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['a form of another host in an old browser', { Origin: 'http://evil.example', 'Content-Type': form }, 403],
  [
    'a form of another port in an old browser',
    { Origin: 'http://127.0.0.1:1', 'Content-Type': 'Multipart/Form-Data; boundary=x' },
    403,
  ],
  ['a form with text in an old browser', { Origin: 'http://evil.example', 'Content-Type': 'text/plain' }, 403],
  ['a form without an origin in an old browser', { Origin: 'null', 'Content-Type': form }, 403],
  ['an old browser that names no type', { Origin: 'http://evil.example' }, 403],
  ['a page of this server', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://evil.example', 'Content-Type': form }, 200],
  ['the address bar', { 'Sec-Fetch-Site': 'none' }, 200],
  ['a page of this server in an old browser', { Origin: app.url, 'Content-Type': form }, 200],
  // A page of another site may send JSON only after the server has said so, which this one never does.
  ['JSON of another host', { Origin: 'http://files.example', 'Content-Type': 'application/json' }, 200],
  ['a script that names no origin', { 'Content-Type': form }, 200],
] as const) {
  test(`a sign-in by ${what} is ${status}`, async () => {
    const call = { port: app.port, method: 'POST', headers: { Host: `127.0.0.1:${app.port}`, ...headers } }
    const answer = await rawRequest({ ...call, address: '/api/login', body: JSON.stringify(ann) })
    assert.equal(answer.status, status)
    assert.equal('set-cookie' in answer.headers, status === 200)
    // 405: sign-up is off.
    const signUp = await rawRequest({ ...call, address: '/api/signup', body: JSON.stringify(ann) })
    assert.equal(signUp.status, status === 200 ? 405 : 403)
  })
}

test('a sign-in of more than 1 MiB is 413, before it has come', async () => {
  const head = 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 31457280\r\n\r\n{'
  assert.match((await exchange(app.port, Buffer.from(head))).toString(), /^HTTP\/1.1 413 /)
})

test('no session, an ended one and a forged one are 401', async () => {
  const [head, body] = ((await app.as('ann')).token ?? '').split('.')
  for (const token of [
    undefined,
    '',
    'undefined',
    'a.b.c',
    'a.b',
    `${head}.${body}.`,
    `${head}.${body}.AAAA`,
    `${'x'.repeat(30_000)}.b.c`,
  ]) {
    const answer = await nobody.ask('GET', '/api/resources/', token === undefined ? {} : { headers: { 'X-Auth': token } })
    assert.deepEqual([answer.status, await answer.text()], [401, '401 Unauthorized\n'])
  }
})

test('a token is valid until it expires', async (t) => {
  const own = await startApp(t, { files: { 'a.txt': 'a' } })
  const principal = await own.as('ann')
  const fresh = await principal.get('/')
  assert.deepEqual([fresh.status, fresh.headers.get('x-renew-token')], [200, null])
  own.clock.advance({ minutes: 59 })
  assert.equal((await principal.get('/')).headers.get('x-renew-token'), null)
  own.clock.advance({ minutes: 2 })
  assert.equal((await principal.get('/')).headers.get('x-renew-token'), 'true')
  const renewed = await principal.ask('POST', '/api/renew')
  assert.deepEqual([renewed.status, renewed.headers.get('x-renew-token')], [200, null])
  own.clock.advance({ minutes: 60 })
  assert.equal((await principal.get('/')).status, 401)
  const next = await own.principal().ask('GET', '/api/resources/', { headers: { 'X-Auth': await renewed.text() } })
  assert.equal(next.status, 200)
})

test('a changed user gets the hint to renew, and a removed permission applies at once', async (t) => {
  const own = await startApp(t)
  const principal = await own.as('ann')
  const { id } = userIn(own.parts.state, 'ann') ?? { id: 0 }
  await changeUser(own.parts, id, (user) => {
    user.perm = { ...user.perm, create: false }
  })
  const answer = await principal.upload('/a', 'a')
  assert.deepEqual([answer.status, answer.headers.get('x-renew-token')], [403, 'true'])
})

test('signing out ends the session for every token of it, and clears the cookie', async () => {
  const signedIn = await login(ann)
  const token = await signedIn.text()
  const headers = { 'X-Auth': token }
  const renewed = await (await nobody.ask('POST', '/api/renew', { headers })).text()
  const out = await nobody.ask('POST', '/api/logout', { headers })
  assert.deepEqual([out.status, cookieOf(out)], [200, `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`])
  for (const dead of [token, renewed]) {
    for (const address of ['/api/resources/', '/api/raw/a.txt'])
      assert.equal((await nobody.ask('GET', address, { headers: { 'X-Auth': dead } })).status, 401)
    assert.equal((await nobody.ask('POST', '/api/renew', { headers: { 'X-Auth': dead } })).status, 401)
  }
  assert.equal(
    (await nobody.ask('GET', '/api/raw/a.txt', { headers: { Cookie: `${cookieName}=${cookieValue(signedIn)}` } })).status,
    401,
  )
})

test('a new password and the removal of a user end sessions at once', async (t) => {
  const own = await startApp(t, { users: { ann: {}, ben: {} } })
  for (const [name, end] of [
    ['ann', (id: number) => own.parts.accounts.changePassword(id, 'another long password')],
    ['ben', (id: number) => own.parts.accounts.remove(id)],
  ] as const) {
    const principal = await own.as(name)
    assert.equal((await principal.get('/')).status, 200)
    await end(userIn(own.parts.state, name)?.id ?? 0)
    assert.equal((await principal.get('/')).status, 401)
  }
})

test('the cookie is accepted for reading where a browser loads by itself, and nowhere else', async () => {
  const value = cookieValue(await login(ann))
  const ask = async (method: string, address: string, cookie: string) =>
    (await nobody.ask(method, address, { headers: { Cookie: cookie } })).status
  for (const cookie of [
    `${cookieName}=${value}`,
    `auth=${value}`,
    `x=y; ${cookieName}=${value}; z`,
    `${cookieName}=junk; auth=${value}`,
  ]) {
    assert.equal(await ask('GET', '/api/raw/a.txt', cookie), 200, cookie)
    assert.equal(await ask('HEAD', '/api/raw/a.txt', cookie), 200)
  }
  for (const [method, address] of [
    ['GET', '/api/resources/a.txt'],
    ['POST', '/api/resources/new.txt'],
    ['PUT', '/api/resources/a.txt'],
    ['PATCH', '/api/resources/a.txt?action=rename&destination=/b.txt'],
    ['DELETE', '/api/resources/a.txt'],
    ['POST', '/api/renew'],
    ['POST', '/api/logout'],
  ] as const) {
    assert.equal(await ask(method, address, `${cookieName}=${value}`), 401, `${method} ${address}`)
  }
  assert.equal(await ask('GET', '/api/raw/a.txt', `auth-00000000=${value}`), 401)
})

test('auth= in an address is accepted for reading on raw alone', async () => {
  const { token } = await app.as('ann')
  const status = async (method: string, address: string) => (await nobody.ask(method, `${address}auth=${token}`)).status
  assert.equal(await status('GET', '/api/raw/a.txt?'), 200)
  assert.equal(await status('HEAD', '/api/raw/a.txt?inline=true&'), 200)
  for (const [method, address] of [
    ['GET', '/api/resources/a.txt?'],
    ['POST', '/api/resources/b.txt?'],
    ['DELETE', '/api/resources/a.txt?'],
    ['PATCH', '/api/resources/a.txt?action=rename&destination=/b.txt&'],
    ['POST', '/api/renew?'],
  ] as const) {
    assert.equal(await status(method, address), 401, `${method} ${address}`)
  }
})

test('X-Auth is used when it has the form of a token, and then nothing replaces it', async () => {
  const { token } = await app.as('ann')
  const status = async (header: string) =>
    (await nobody.ask('GET', `/api/raw/a.txt?auth=${token}`, { headers: { 'X-Auth': header } })).status
  assert.equal(await status('undefined'), 200)
  assert.equal(await status('null'), 200)
  assert.equal(await status('a.b.c'), 401)
})

test('a link opened without a session leads to the sign-in, and back', async () => {
  const get = (address: string, accept: string, method = 'GET') => nobody.ask(method, address, { headers: { Accept: accept } })
  const html = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const answer = await get('/api/raw/a%20b.txt?inline=true&auth=x.y.z', html)
  assert.deepEqual(
    [answer.status, answer.headers.get('location')],
    [303, `/login?redirect=${encodeURIComponent('/api/raw/a%20b.txt?inline=true')}`],
  )
  assert.equal((await get('/api/raw/a.txt', 'image/*,*/*')).status, 401)
  assert.equal((await get('/api/resources/a.txt', html)).status, 401)
  assert.equal((await get('/api/resources/a.txt', html, 'DELETE')).status, 401)
})

test('too many wrong passwords are 429, with the time to wait', async (t) => {
  const own = await startApp(t, { options: { trustedProxies: ['127.0.0.1'] } })
  const headers = { 'X-Forwarded-For': '192.0.2.1' }
  const wrong = () => own.principal().ask('POST', '/api/login', { headers, body: '{"username":"ann","password":"wrong"}' })
  let answer = await wrong()
  for (let tries = 1; answer.status === 403 && tries < 50; tries++) answer = await wrong()
  assert.equal(answer.status, 429)
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  const right = await own.principal().ask('POST', '/api/login', { headers, body: JSON.stringify(ann) })
  assert.equal(right.status, 429)
})

test('a user whose folder is missing can still renew and sign out', async (t) => {
  const own = await startApp(t, { users: { ann: { scope: '/not/made' } } })
  const principal = await own.as('ann')
  assert.equal((await principal.get('/')).status, 404)
  assert.equal((await principal.ask('POST', '/api/renew')).status, 200)
  assert.equal((await principal.ask('POST', '/api/logout')).status, 200)
  assert.equal((await principal.get('/')).status, 401)
})
