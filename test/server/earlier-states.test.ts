// A state and its side files of an earlier release open in this one, with all that people know of them.
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Share } from '../../src-server/contract/shares.ts'
import type { User } from '../../src-server/contract/users.ts'
import { readState } from '../../src-server/state/read-state.ts'
import { currentSchema } from '../../src-server/state/state-data.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { asPrincipal } from '../support/as-principal.ts'
import { StoppedClock } from '../support/clock.ts'
import { startApp } from '../support/start-app.ts'
import { rename, startState } from '../support/start-state.ts'

const states = resolve(import.meta.dirname, '../states')
const schema1 = join(states, '1')
const issued = JSON.parse(readFileSync(join(schema1, 'issued.json'), 'utf8'))
const stored = JSON.parse(readFileSync(join(schema1, 'holdall.json'), 'utf8'))

/** A server on a copy of the state of schema 1, right after that was written. */
async function startSchema1(t: TestContext) {
  const clock = new StoppedClock(Date.parse(issued.writtenAt))
  const app = await startApp(t, {
    services: { clock, passwords: new Passwords() },
    users: {},
    options: ({ folder }) => {
      for (const name of readdirSync(schema1)) copyFileSync(join(schema1, name), join(folder, name))
      return { database: join(folder, 'holdall.json'), auditLog: join(folder, 'activity.jsonl') }
    },
  })
  const signIn = async (username: string) => {
    const body = JSON.stringify({ username, password: issued.passwords[username] })
    const answer = await app.principal().ask('POST', '/api/login', { body })
    assert.equal(answer.status, 200, username)
    return asPrincipal(app.url, await answer.text())
  }
  const json = async <T>(calls: ReturnType<typeof asPrincipal>, address: string) => {
    const answer = await calls.ask('GET', address)
    assert.equal(answer.status, 200, address)
    return (await answer.json()) as T
  }
  return { app, clock, signIn, json }
}

test('users of schema 1 sign in with their passwords, with their rights and rules', async (t) => {
  const { signIn, json } = await startSchema1(t)
  for (const name of Object.keys(issued.passwords)) await signIn(name)
  const users = await json<User[]>(await signIn('admin'), '/api/users')
  const fieldsOf = ({ id, username, scope, perm, rules, commands, locale, viewMode, sorting, lockPassword }: User) => ({
    ...{ id, username, scope, perm, rules, commands, locale, viewMode, sorting, lockPassword },
  })
  assert.deepEqual(users.map(fieldsOf), stored.users.map(fieldsOf))
})

test('sessions of schema 1 go on, and those that had ended stay so', async (t) => {
  const { app } = await startSchema1(t)
  assert.equal((await asPrincipal(app.url, issued.tokenOfAnn).get('/')).status, 200)
  assert.equal((await asPrincipal(app.url, issued.tokenThatSignedOut).get('/')).status, 401)
})

test('settings of schema 1 are those that an administrator had chosen', async (t) => {
  const { signIn, json } = await startSchema1(t)
  const settings = await json<Record<string, unknown>>(await signIn('admin'), '/api/settings')
  for (const [name, value] of Object.entries(stored.settings)) assert.deepEqual(settings[name], value, name)
})

test('links of schema 1 keep their password, note, limit, expiry and count', async (t) => {
  const { app, clock, signIn, json } = await startSchema1(t)
  const linksOf = async () => json<Share[]>(await signIn('admin'), '/api/shares')
  const shown = (await linksOf()).map(
    ({ hash, userID, path, isDir, expire, created, hasPassword, note, mostDownloads, downloads }) => [
      ...[hash, userID, path, isDir, expire, created, hasPassword, note, mostDownloads, downloads],
    ],
  )
  const counts: Record<string, number> = { 'XSUN64p-vA2N42Oe-fTWrw': 2, '2ajXnSUiAXsDbKkAw4ERVQ': 1 }
  const kept = stored.links.map((link: Record<string, unknown>) => [
    ...[link.hash, link.userId, link.path, link.isDir, link.expire, link.createdAt, 'password' in link],
    ...[link.note ?? '', link.mostDownloads, counts[String(link.hash)] ?? 0],
  ])
  const byHash = (one: unknown[], other: unknown[]) => (String(one[0]) < String(other[0]) ? -1 : 1)
  assert.deepEqual(shown.sort(byHash), kept.sort(byHash))
  const protectedLink = await app.principal().ask('GET', '/api/public/share/2ajXnSUiAXsDbKkAw4ERVQ')
  assert.equal(protectedLink.status, 401)
  clock.advance({ hours: 2 })
  assert.ok(!(await linksOf()).some(({ hash }) => hash === 'Rt7PrrPLUJVmblXaozXxnw'), 'one has expired')
})

test('the activity of schema 1 is shown', async (t) => {
  const { signIn } = await startSchema1(t)
  const answer = await (await signIn('admin')).ask('GET', '/api/activity?limit=1000')
  const timesIn = (text: string) =>
    text
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line).time ?? [])
  const shown = new Set(timesIn(await answer.text()))
  for (const time of timesIn(readFileSync(join(schema1, 'activity.jsonl'), 'utf8'))) assert.ok(shown.has(time), time)
})

test('a state from before has no request links, and a list that is not known is kept', async (t) => {
  const { app } = await startSchema1(t)
  const { state } = app.parts
  assert.deepEqual(state.data.requests, [])
  const file = join(app.folder, 'later.json')
  writeFileSync(file, JSON.stringify({ ...stored, ofALaterRelease: [{ hash: 'x', more: [1] }] }))
  const opened = await startState(t, { file })
  await opened.change('other', rename('another'))
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual([kept.ofALaterRelease, kept.requests], [[{ hash: 'x', more: [1] }], []])
})

test('a state of the present schema is checked in', () => {
  const reading = readState(join(states, String(currentSchema), 'holdall.json'))
  assert.ok(reading.kind === 'good' && !reading.isMigrated)
})
