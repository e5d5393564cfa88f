import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { newState } from '../../src-server/state/new-state.ts'
import type { StoredSession } from '../../src-server/state/state-data.ts'
import { newRecord } from '../../src-server/state/user-commands.ts'
import { Tokens } from '../../src-server/users/tokens.ts'
import { StoppedClock } from '../support/clock.ts'

const clock = new StoppedClock()
const now = clock.now() / 1000
const { keys } = newState()
const [key = { kid: '', secret: '' }] = keys
const tokens = new Tokens({ keys: () => keys, clock })
const session: StoredSession = { id: 'a-session', userId: 1, createdAt: now, usedAt: now, expiresAt: now + 7200 }
const ann = newRecord({ id: 1, password: '', changedAt: now }, { ...newState().settings.defaults, username: 'ann' })

type Parts = { header?: object; payload?: object; secret?: string; hash?: string }

/** Makes a token by hand; by default a valid one. */
function forge({ header = {}, payload = {}, secret = key.secret, hash = 'sha256' }: Parts = {}) {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = [
    encode({ alg: 'HS256', typ: 'JWT', kid: key.kid, ...header }),
    encode({ sid: 'a-session', iat: now, exp: now + 7200, ...payload }),
  ].join('.')
  return `${input}.${createHmac(hash, Buffer.from(secret, 'base64url')).update(input).digest('base64url')}`
}

test('a token made by hand as the server makes them is valid, which the refusals below rely on', () => {
  assert.deepEqual(tokens.read(forge()), { sid: 'a-session', iat: now, exp: now + 7200 })
})

test('a token has three parts, names its key and is signed with HS256', () => {
  const token = tokens.forPerson(ann, session)
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  assert.deepEqual(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()), {
    alg: 'HS256',
    typ: 'JWT',
    kid: key.kid,
  })
  assert.deepEqual(tokens.read(token), { sid: 'a-session', iat: now, exp: now + 7200, changedAt: now })
  assert.deepEqual(tokens.read(tokens.forCookie(session)), { sid: 'a-session', exp: now + 7200 })
})

const unsigned = (alg: string) => forge({ header: { alg } }).replace(/[^.]*$/, '')
const [head, body, signature] = forge().split('.')
const refused: Record<string, string> = {
  'of algorithm none': unsigned('none'),
  'of algorithm None': unsigned('None'),
  'of algorithm none, but signed': forge({ header: { alg: 'none' } }),
  'signed with HS512': forge({ header: { alg: 'HS512' }, hash: 'sha512' }),
  'signed with HS384': forge({ header: { alg: 'HS384' }, hash: 'sha384' }),
  'that says HS512 and is signed with HS256': forge({ header: { alg: 'HS512' } }),
  'that says RS256': forge({ header: { alg: 'RS256' } }),
  'without a signature': unsigned('HS256'),
  'of another key': forge({ secret: Buffer.alloc(32).toString('base64url') }),
  'signed with the key as text': forge({ secret: Buffer.from(key.secret).toString('base64url') }),
  'without exp': forge({ payload: { exp: undefined } }),
  'with exp null': forge({ payload: { exp: null } }),
  'with a text for exp': forge({ payload: { exp: `${now + 7200}` } }),
  'that ended a second ago': forge({ payload: { exp: now - 1 } }),
  'without sid': forge({ payload: { sid: undefined } }),
  'with a number for sid': forge({ payload: { sid: 1 } }),
  'with a list for sid': forge({ payload: { sid: ['a-session'] } }),
  'of an unknown kid': forge({ header: { kid: 'other' } }),
  'without kid': forge({ header: { kid: undefined } }),
  'with a list for kid': forge({ header: { kid: [key.kid] } }),
  'not yet good': forge({ payload: { nbf: now + 60 } }),
  'with a header that we do not know and must': forge({ header: { crit: ['b64'], b64: false } }),
  'of four parts': `${forge()}.x`,
  'of two parts': `${head}.${body}`,
  'with a changed body': `${head}.${Buffer.from('{"sid":"x","exp":99999999999}').toString('base64url')}.${signature}`,
  'whose signature is cut': forge().slice(0, -1),
  'with a space': ` ${forge()}`,
  'with a newline': `${forge()}\n`,
  empty: '',
  'of dots': '..',
  'of nonsense': 'undefined.null.NaN',
  'of deep JSON': `${Buffer.from('['.repeat(5000)).toString('base64url')}.${body}.${signature}`,
  'longer than any valid one': forge({ payload: { more: 'x'.repeat(200_000) } }),
}

for (const [name, token] of Object.entries(refused)) {
  test(`a token ${name} is invalid`, () => assert.equal(tokens.read(token), undefined))
}

test('after a change of keys the new key signs and both verify', () => {
  const [fresh = { kid: '', secret: '' }] = newState().keys
  const later = new Tokens({ keys: () => [fresh, key], clock })
  assert.ok(later.read(tokens.forPerson(ann, session)))
  assert.ok(later.read(later.forPerson(ann, session)))
  assert.equal(tokens.read(later.forPerson(ann, session)), undefined)
})
