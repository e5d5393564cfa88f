// Headers and errors of answers, the page and its files, and what the log leaves out.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { answerFailures, wantsProblem } from '../../src-server/api/error-replies.ts'
import { answerFor, sentenceOf } from '../../src-server/api/failures.ts'
import { loggerFor, withoutToken, withShortHashes } from '../../src-server/api/log.ts'
import { withoutBase } from '../../src-server/app.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { firstWords } from '../../src-server/pages/first-words.ts'
import { rawRequest } from '../support/raw-request.ts'
import { deny, startApp, tinyAssets } from '../support/start-app.ts'

const app = await startApp({ after }, { files: { 'a.txt': 'a' }, users: { ann: { rules: [deny('/no')] } } })
const ann = await app.as('ann')

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; font-src 'self'; worker-src 'self' blob:; frame-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
const callPolicy = "default-src 'none'; frame-ancestors 'none'"

for (const [method, address, status, policy] of [
  ['GET', '/', 200, pagePolicy],
  ['GET', '/files/any/where', 200, pagePolicy],
  ['GET', '/static/main-1.js', 200, callPolicy],
  ['GET', '/static/none.js', 404, callPolicy],
  ['GET', '/static', 404, callPolicy],
  ['GET', '/health', 200, callPolicy],
  ['GET', '/api/resources/', 401, callPolicy],
  ['GET', '/api/nope', 404, callPolicy],
  ['PUT', '/health', 405, callPolicy],
  ['POST', '/api/login', 403, callPolicy],
  ['POST', '/files/', 404, callPolicy],
  ['GET', '/api/raw/%', 400, callPolicy],
] as const) {
  test(`${method} ${address} is ${status} and has the security headers`, async () => {
    const { status: given, headers } = await rawRequest({ port: app.port, method, address })
    const seen = [given, headers['x-content-type-options'], headers['referrer-policy'], headers['content-security-policy']]
    assert.deepEqual(seen, [status, 'nosniff', 'no-referrer', policy])
    for (const name of ['access-control-allow-origin', 'x-powered-by', 'server']) assert.equal(headers[name], undefined)
  })
}

test('an error is a line of text with its cause', async () => {
  const answer = await ann.upload('/a.txt', 'b')
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(await answer.text(), '409 Conflict (the name is taken)\n')
  assert.equal(await (await ann.get('/no')).text(), '403 Forbidden\n')
  assert.equal(await (await ann.get('/none')).text(), '404 Not Found\n')
  assert.equal(
    await (await ann.get('/a.txt', 'checksum=crc')).text(),
    '400 Bad Request (a checksum is one of md5, sha1, sha256, sha512)\n',
  )
})

test('it is a problem with a stable code for clients that accept problems and no text', async () => {
  const answer = await ann.ask('POST', '/api/resources/a.txt', { headers: { Accept: 'application/problem+json' }, body: 'b' })
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json(; charset=utf-8)?$/)
  const problem = {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    code: 'conflict',
    detail: 'the name is taken',
    refusal: { code: 'nameTaken', params: {} },
  }
  assert.deepEqual(await answer.json(), problem)
  for (const accept of ['application/json, application/problem+json', 'Application/Problem+JSON;q=0.5'])
    assert.ok(wantsProblem(accept), accept)
  for (const accept of ['', '*/*', 'text/plain, application/problem+json', 'application/problem+json, */*', 'application/json'])
    assert.ok(!wantsProblem(accept), accept)
})

test('each code has its status', () => {
  const statuses = {
    invalid: 400,
    unauthorized: 401,
    forbidden: 403,
    notFound: 404,
    method: 405,
    conflict: 409,
    changed: 412,
    tooLarge: 413,
    range: 416,
    tooMany: 429,
    internal: 500,
    busy: 503,
    full: 507,
  } as const
  for (const [code, status] of Object.entries(statuses)) {
    const answer = answerFor(new Failure(code as keyof typeof statuses, 'why', { retryAfter: 1.2, allow: ['GET', 'HEAD'] }))
    assert.deepEqual([answer.status, answer.code, answer.headers], [status, code, { 'Retry-After': '2', Allow: 'GET, HEAD' }])
    assert.match(sentenceOf(answer), new RegExp(`^${status} [A-Z][A-Za-z ]+( \\(why\\))?\n$`))
  }
})

test('an unexpected error is answered without details, and logged with them', async (t) => {
  const lines: string[] = []
  const own = Fastify({ logger: loggerFor({ logLevel: 'info', logFormat: 'json' }, (line) => lines.push(line)) })
  t.after(() => own.close())
  answerFailures(own)
  own.get('/broken', async () => {
    throw new Error('a secret path in /etc/here')
  })
  own.get('/caused', async () => {
    throw new Failure('internal', 'not for clients', { cause: new Error('the disk is broken') })
  })
  for (const [address, reason] of [
    ['/broken', 'a secret path'],
    ['/caused', 'the disk is broken'],
  ] as const) {
    const answer = await own.inject(address)
    assert.deepEqual([answer.statusCode, answer.body], [500, '500 Internal Server Error\n'])
    const logged = lines.map((line) => JSON.parse(line)).find(({ err }) => err?.message.startsWith(reason))
    assert.match(logged?.err.stack ?? '', /headers\.test\.ts/)
  }
})

test('the page contains its configuration as data that cannot end its element', async (t) => {
  const own = await startApp(t)
  const branding = { name: '</script><script>alert(1)</script><!-- "&', disableUsedPercentage: true }
  await own.parts.state.change('other', (draft) => {
    const { settings } = draft
    draft.settings = { ...settings, branding: { ...settings.branding, ...branding } }
  })
  const page = await (await fetch(`${own.url}/files/`)).text()
  const [, config = ''] = /<script type="application\/json" id="holdall-config">(.*?)<\/script>/s.exec(page) ?? []
  assert.equal(JSON.parse(config).Name, '</script><script>alert(1)</script><!-- "&')
  assert.equal(JSON.parse(config).DisableUsedPercentage, true)
  assert.deepEqual(JSON.parse(config).Locales, { 'pt-br': 'locales/pt-br-1.json' })
  assert.ok(page.includes('<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &quot;&amp;</title>'))
  assert.equal(page.match(/<script/g)?.length, 2)
  assert.ok(page.includes('<script type="module" src="/static/main-1.js">') && page.includes('href="/static/main-1.css"'))
})

test('the page is sent to clients that accept HTML; missing scripts and images are 404', async () => {
  const status = async (method: string, address: string, accept: string) =>
    (await app.principal().ask(method, address, { headers: { Accept: accept } })).status
  assert.equal(await status('GET', '/login', 'text/html,*/*;q=0.8'), 200)
  assert.equal(await status('HEAD', '/login', 'text/html'), 200)
  assert.equal(await status('GET', '/login', 'image/avif,image/webp'), 404)
  assert.equal(await status('GET', '/missing.json', 'application/json'), 404)
  assert.equal(await status('POST', '/login', 'text/html'), 404)
})

test('a file of the interface is cached without limit, and validated by its tag', async () => {
  const first = await fetch(`${app.url}/static/main-1.js`)
  assert.equal(first.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' }
  assert.equal((await rawRequest({ port: app.port, method: 'GET', address: '/static/main-1.js', headers })).status, 304)
})

test('a token in an address is removed from the log, in every encoding of its name', () => {
  assert.equal(withoutToken('/api/raw/a?inline=true&auth=x.y.z&b=1'), '/api/raw/a?inline=true&b=1')
  assert.equal(withoutToken('/api/raw/a?auth=x.y.z'), '/api/raw/a')
  assert.equal(withoutToken('/api/raw/a?%61uth=x.y.z&au%74h=x'), '/api/raw/a')
  assert.equal(withoutToken('/api/raw/a?author=x&%zz=1&auth'), '/api/raw/a?author=x&%zz=1')
  assert.equal(withoutToken('/api/raw/auth=x'), '/api/raw/auth=x')
})

test('addresses of links have no more than the first characters of a hash in the log', () => {
  const hash = 'abcdef-hijklmnop_rstuv'
  for (const [address, logged] of [
    [`/share/${hash}/a.txt?x=1`, '/share/abcdef…/a.txt?x=1'],
    [`/sub/share/${hash}`, '/sub/share/abcdef…'],
    [`/api/share/${hash}`, '/api/share/abcdef…'],
    [`/api/public/share/${hash}/d`, '/api/public/share/abcdef…/d'],
    [`/api/public/dl/${hash}/share/${hash}`, '/api/public/dl/abcdef…/share/abcdef…'],
    [`/api/public/preview/big/${hash}/a`, '/api/public/preview/big/abcdef…/a'],
    [`/api/public/search/${hash}/?query=a`, '/api/public/search/abcdef…/?query=a'],
    [`/api/public/live/${hash}`, '/api/public/live/abcdef…'],
    ['/api/share/a%20name.txt', '/api/share/a%20name.txt'],
    [`/api/resources/${hash}`, `/api/resources/${hash}`],
  ] as const)
    assert.equal(withShortHashes(address), logged)
})

for (const [what, options, proto, opener, transport] of [
  ['over http', { hsts: true }, 'http', null, null],
  ['over https', {}, 'https', 'same-origin', null],
  ['over https with --hsts', { hsts: true }, 'https', 'same-origin', 'max-age=31536000'],
] as const)
  test(`what keeps other windows and plain http away, ${what}`, async (t) => {
    const own = await startApp(t, { options: { ...options, trustedProxies: ['127.0.0.0/8'] } })
    for (const address of ['/files/', '/api/resources/', '/health']) {
      const { headers } = await own.principal().ask('GET', address, { headers: { 'X-Forwarded-Proto': proto } })
      assert.deepEqual(
        ['cross-origin-opener-policy', 'strict-transport-security'].map((name) => headers.get(name)),
        [opener, transport],
      )
    }
  })

for (const logFormat of ['json', 'pretty'] as const) {
  test(`the ${logFormat} log is one escaped line for each request`, async (t) => {
    const { RequestLog } = await import('../../src-server/api/log.ts')
    const lines: string[] = []
    const own = Fastify({
      logger: loggerFor({ logLevel: 'info', logFormat }, (line) => lines.push(line)),
      logController: new RequestLog(),
    })
    t.after(() => own.close())
    own.get('/*', async () => 'ok')
    await own.listen({ port: 0 })
    const { port } = own.server.address() as { port: number }
    await rawRequest({ port, method: 'GET', address: '/a%0ab?auth=aaa.bbb.ccc', headers: { Host: 'x' } })
    own.log.warn({ name: 'two\nlines \u202e \u001b[31m' }, 'a\r\nforged line')
    const written = () => lines.filter((line) => !line.includes('listening'))
    while (written().length < 2) await new Promise((resolve) => setImmediate(resolve))
    for (const line of written()) {
      assert.match(line, /^[^\p{Cc}\u202e]*\n$/u)
      assert.ok(!line.includes('aaa.bbb'))
    }
    assert.ok(written().some((line) => line.includes('/a%0ab') && line.includes('200')))
  })
}

test('the base URL is trimmed as a whole prefix only', () => {
  assert.equal(withoutBase('/fb/api/x', '/fb'), '/api/x')
  assert.equal(withoutBase('/fbx/api', '/fb'), '/fbx/api')
  assert.equal(withoutBase('/fb', '/fb'), '/fb')
  assert.equal(withoutBase('/api', ''), '/api')
  assert.equal(withoutBase('http://h/fb/a?b=/fb/', '/fb'), '/a?b=/fb/')
  assert.equal(withoutBase('*', ''), '/*')
})

test('the page preloads the words of the language that the browser wants, but not English', async (t) => {
  const own = await startApp(t)
  const preloaded = async (wanted: string) => {
    const answer = await fetch(`${own.url}/files/`, { headers: { 'Accept-Language': wanted } })
    assert.equal(answer.headers.get('vary'), 'Accept-Language')
    return /<link rel="preload" as="fetch" crossorigin="anonymous" href="(.*?)">/.exec(await answer.text())?.[1]
  }
  assert.equal(await preloaded('pt-BR,pt;q=0.9,en;q=0.8'), '/static/locales/pt-br-1.json')
  assert.equal(await preloaded('en-GB,pt-BR;q=0.9'), undefined)
  assert.equal(await preloaded('"><script>,;;q=a'), undefined)
})

test('what the page says before its script runs is in the language that the browser wants', async (t) => {
  const own = await startApp(t)
  const page = async (wanted: string) => (await fetch(`${own.url}/files/`, { headers: { 'Accept-Language': wanted } })).text()
  const brazilian = await page('pt-BR')
  assert.match(brazilian, /<html lang="pt-BR" dir="ltr"/)
  assert.match(brazilian, /role="status" aria-label="Carregando"/)
  // A text that a language lacks is English.
  assert.match(brazilian, /<noscript>Holdall needs JavaScript\.<\/noscript>/)
  assert.match(await page('fi'), /<html lang="en" dir="ltr"[\s\S]*aria-label="Loading"/)
})

test('the English of the page is that of its translations', async () => {
  const words = JSON.parse(await readFile(resolve(import.meta.dirname, '../../locales/en.json'), 'utf8'))
  const { say } = await firstWords(tinyAssets, { languages: 'en', codes: [] })
  assert.equal(say('app.loading'), words.app.loading)
  assert.equal(say('app.needsScript', { name: 'x' }), words.app.needsScript.replace('{{name}}', 'x'))
  assert.equal(say('command.download'), words.command.download)
})
