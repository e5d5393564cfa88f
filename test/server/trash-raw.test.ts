// Files of the trash are sent as those of the listing are, and to nobody else than the trash shows them to.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { only, startApp, usual } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'
import { deleted, itemsOf } from '../support/trash-calls.ts'

const contents = {
  'abc.txt': 'abcdefghijklmnopqrstuvwxyz',
  'page.html': '<script>alert(1)</script>',
  'page.xhtml': '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
  'draw.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'script.js': 'alert(1)',
  'photo.png': 'p',
  'paper.pdf': '%PDF',
  'song.mp3': 'm',
  'video.mp4': 'm',
  'thing.exe': 'MZ',
  none: 'x',
  'ünï "q".txt': 'u',
}
const app = await startApp({ after }, { files: contents, users: { ann: {}, away: { scope: '/away' } } })
const ann = await app.as('ann')

const queries = ['?inline=true', '', '?inline=1'] as const
const ranges = [undefined, 'bytes=1-3', 'bytes=-2', 'bytes=1-2,4-5', 'bytes=99-', 'none'] as const

/** What is said of a file in each way in which it can be asked for, without the headers that time changes. */
async function answers(who: PrincipalCalls, address: string) {
  const all: unknown[] = []
  for (const query of queries) {
    for (const range of ranges) {
      const answer = await who.ask('GET', `${address}${query}`, { headers: range === undefined ? {} : { Range: range } })
      // What was written just now has no version yet.
      const { date, etag, ...headers } = Object.fromEntries(answer.headers)
      all.push({ query, range, status: answer.status, headers, text: await answer.text() })
    }
  }
  return all
}

for (const name of Object.keys(contents)) {
  test(`${name} is sent from the trash with each header that it had before`, async () => {
    const before = await answers(ann, `/api/raw/${encodeURIComponent(name)}`)
    const [first] = before as { headers: Record<string, string> }[]
    assert.equal(first?.headers['x-content-type-options'], 'nosniff')
    assert.ok(first.headers['content-security-policy']?.includes("default-src 'none'"))
    const id = await deleted(ann, `/${name}`)
    assert.deepEqual(await answers(ann, `/api/trash/raw/${id}`), before)
  })
}

test('who may not download gets nothing of it, and who has other folders does not learn that it is there', async () => {
  await ann.upload('/secret.txt', 'secret')
  const id = await deleted(ann, '/secret.txt')
  const addresses = [`/api/trash/raw/${id}`, `/api/trash/raw/${id}?inline=true`, `/api/trash/preview/thumb/${id}`]
  const statuses = async (who: PrincipalCalls) => Promise.all(addresses.map(async (one) => (await who.ask('GET', one)).status))
  assert.deepEqual(await statuses(await app.as('away')), [404, 404, 404])
  assert.deepEqual(await statuses(app.principal()), [401, 401, 401])
  const change = (perm: typeof usual) =>
    changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, (user) => {
      user.perm = perm
    })
  for (const perm of [only('create', 'delete'), { ...usual, download: false }]) {
    await change(perm)
    assert.deepEqual(await statuses(await app.as('ann')), [403, 403, 403])
  }
  await change(usual)
  assert.equal((await itemsOf(await app.as('ann'), 'path=/secret.txt')).length, 1)
})
