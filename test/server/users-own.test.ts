// What users change of their own record: PUT /api/users/:id.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { startApp } from '../support/start-app.ts'
import { userIn } from '../support/start-state.ts'

const app = await startApp(
  { after },
  { files: { 'a.txt': 'aa', 'b.txt': 'b' }, users: { ann: {}, ben: {}, root: { perm: allPermissions } } },
)
const idOf = (name: string) => userIn(app.parts.state, name)?.id ?? 0
const stored = (name: string) => userIn(app.parts.state, name)

async function put(name: string, body: unknown, id: number | string = idOf(name)) {
  const principal = await app.as(name)
  return principal.ask('PUT', `/api/users/${id}`, { body: typeof body === 'string' ? body : JSON.stringify(body) })
}

const change = (which: unknown, data: object, id = idOf('ann')) => ({ what: 'user', which, data: { id, ...data } })

test('users change sorting, view and language of their own record', async () => {
  const answer = await put(
    'ann',
    change(['sorting', 'viewMode', 'locale'], { sorting: { by: 'size', asc: true }, viewMode: 'list', locale: 'de' }),
  )
  assert.deepEqual([answer.status, await answer.text()], [200, '200 OK\n'])
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
  const { sorting, viewMode, locale } = stored('ann') ?? {}
  assert.deepEqual([sorting, viewMode, locale], [{ by: 'size', asc: true }, 'list', 'de'])
  assert.deepEqual(await (await app.as('ann')).list('/'), ['b.txt', 'a.txt'])
})

test('only the fields that `which` names are changed', async () => {
  const before = stored('ben')
  const more = { viewMode: 'list', username: 'eve', perm: allPermissions, scope: '/..', password: 'x', locale: 'fr', extra: [1] }
  assert.equal((await put('ben', change(['viewMode'], more, idOf('ben')))).status, 200)
  const { changedAt, ...now } = stored('ben') ?? {}
  const { changedAt: _, ...was } = before ?? {}
  assert.deepEqual(now, { ...was, viewMode: 'list' })
  assert.ok((changedAt ?? 0) > (before?.changedAt ?? 0))
})

test('only the two fields of a sorting are stored', async () => {
  assert.equal((await put('ann', change(['sorting'], { sorting: { by: 'name', asc: false, more: 'x' } }))).status, 200)
  assert.deepEqual(stored('ann')?.sorting, { by: 'name', asc: false })
})

test('a change makes older tokens renew, and the renewed one contains it', async () => {
  const older = await app.as('ann')
  const principal = await app.as('ann')
  assert.equal((await older.get('/')).headers.get('x-renew-token'), null)
  const body = JSON.stringify(change(['locale'], { locale: 'pt-br' }))
  const answer = await principal.ask('PUT', `/api/users/${idOf('ann')}`, { body })
  assert.equal(answer.headers.get('x-renew-token'), 'true')
  assert.equal((await older.get('/')).headers.get('x-renew-token'), 'true')
  const renewed = await (await older.ask('POST', '/api/renew')).text()
  const { user } = JSON.parse(Buffer.from(renewed.split('.')[1] ?? '', 'base64url').toString())
  assert.equal(user.locale, 'pt-br')
  const next = await app.principal().ask('GET', '/api/resources/', { headers: { 'X-Auth': renewed } })
  assert.equal(next.headers.get('x-renew-token'), null)
})

const later: [what: string, field: string, value: unknown, kept: object][] = [
  ['the third view', 'viewMode', 'mosaic gallery', { viewMode: 'mosaic' }],
  ['a language without words', 'locale', 'he', { locale: '' }],
  ['a language as systems write it', 'locale', 'pt_BR', { locale: 'pt-br' }],
  ['a language without its region', 'locale', 'sv', { locale: 'sv-se' }],
  ['a language in a region without words of its own', 'locale', 'pt-pt', { locale: 'pt' }],
  ['a language with its script', 'locale', 'zh-Hant', { locale: 'zh-tw' }],
  ['what is no language', 'locale', '??', { locale: '' }],
  ['a setting that there is not', 'singleClick', true, {}],
  ['a setting that there will be some day', 'someDay', [1], {}],
]

for (const [what, field, value, kept] of later) {
  test(`values of other releases are taken and mapped: ${what}`, async () => {
    await put('ann', change(['viewMode', 'locale'], { viewMode: 'list', locale: 'de' }))
    const { changedAt: _, ...before } = stored('ann') ?? {}
    assert.equal((await put('ann', change([field], { [field]: value }))).status, 200)
    const { changedAt: __, ...now } = stored('ann') ?? {}
    assert.deepEqual(now, { ...before, ...kept })
  })
}

test('a locale may be set to empty: the browser chooses', async () => {
  assert.equal((await put('ann', change(['locale'], { locale: '' }))).status, 200)
  assert.equal(stored('ann')?.locale, '')
})

const ann = { id: idOf('ann') }
const nested = '['.repeat(400_000) + ']'.repeat(400_000)
const deep = `{"what":"user","data":{"id":${ann.id}},"which":[${nested}]}`
const refused: [what: string, status: number, cause: RegExp, body: unknown][] = [
  ['no body', 400, /what must be "user"/, ''],
  ['which is nested 400,000 deep', 400, /may name .* but not a list/, deep],
  ['what is something else', 400, /what must be "user"/, { what: 'settings', which: ['locale'], data: { ...ann, locale: 'de' } }],
  ['no which', 400, /which must be a list/, { what: 'user', data: ann }],
  ['which is a word', 400, /which must be a list/, change('locale', { locale: 'de' })],
  ['no data', 400, /id in the address/, { what: 'user', which: ['locale'] }],
  ['another id in data', 400, /id in the address/, change(['locale'], { locale: 'de' }, idOf('ben'))],
  ['the id as text', 400, /id in the address/, { what: 'user', which: ['locale'], data: { id: `${ann.id}`, locale: 'de' } }],
  ['nothing named', 403, /administrators/, change([], { locale: 'de' })],
  ['everything', 403, /administrators/, change(['all'], { locale: 'de' })],
  ['everything and more', 403, /administrators/, change(['locale', 'all'], { locale: 'de' })],
  ['a right', 400, /sorting, viewMode and locale/, change(['perm'], { perm: allPermissions })],
  ['a prototype', 400, /but not "constructor"/, change(['constructor'], { locale: 'de' })],
  ['a prototype in small letters', 400, /but not "valueof"/, change(['valueof'], {})],
  ['a field in capitals', 400, /sorting, viewMode and locale/, change(['Locale'], { locale: 'de' })],
  ['a short password', 400, /at least 12 characters/, change(['password'], { password: 'short' })],
  ['a name that is no text', 400, /sorting, viewMode and locale/, change([1], {})],
  ['a right in capitals', 400, /sorting, viewMode and locale/, change(['Perm'], { Perm: allPermissions })],
  [
    'one that may and one that may not',
    400,
    /sorting, viewMode and locale/,
    change(['locale', 'scope'], { locale: 'de', scope: '/' }),
  ],
  ['a language that is no text', 400, /empty or one of ar, de, en/, change(['locale'], { locale: 7 })],
  ['a field that is not there', 400, /viewMode is mosaic or list/, change(['viewMode'], {})],
  ['another view', 400, /viewMode is mosaic or list/, change(['viewMode'], { viewMode: 'grid' })],
  ['another order', 400, /by, which is name, size or modified/, change(['sorting'], { sorting: { by: 'type', asc: true } })],
  ['half an order', 400, /asc, which is true or false/, change(['sorting'], { sorting: { by: 'name' } })],
  ['an order in words', 400, /asc, which is true or false/, change(['sorting'], { sorting: { by: 'name', asc: 'true' } })],
]

for (const [what, status, cause, body] of refused) {
  test(`${what}: ${status}, and nothing has changed`, async () => {
    const before = stored('ann')
    const answer = await put('ann', body)
    assert.equal(answer.status, status)
    assert.match(await answer.text(), cause)
    assert.deepEqual(stored('ann'), before)
  })
}

test('no user changes another, or learns which users exist', async () => {
  for (const id of [idOf('ben'), 9999]) {
    const answer = await put('ann', change(['locale'], { locale: 'de' }, id), id)
    assert.deepEqual([answer.status, /\(.*\)/.exec(await answer.text())?.[0]], [403, '(you may change only your own record)'])
  }
  assert.equal(stored('ben')?.locale, '')
})

for (const id of ['', '0', '01', '1x', '-1', '%31%20', '1e1', 'me']) {
  test(`the id "${id}" is no id: there is no such address, with any method`, async () => {
    const answer = await put('ann', change(['locale'], { locale: 'de' }), id)
    assert.deepEqual([answer.status, /whole number/.test(await answer.text())], [404, true])
    for (const [name, method] of [
      ['ann', 'GET'],
      ['root', 'GET'],
      ['root', 'DELETE'],
    ] as const)
      assert.equal((await (await app.as(name)).ask(method, `/api/users/${id}`)).status, 404, `${name} ${method}`)
  })
}

test('a known address with another method lists its methods', async () => {
  const answer = await (await app.as('ann')).ask('PATCH', `/api/users/${idOf('ann')}`)
  assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, PUT, DELETE'])
  assert.equal((await (await app.as('ann')).ask('PUT', '/api/users/1/more')).status, 404)
})
