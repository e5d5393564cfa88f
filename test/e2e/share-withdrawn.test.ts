// One person deletes a link while somebody else uses it.
import assert from 'node:assert/strict'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page, WebSocketRoute } from '@playwright/test'
import { asPrincipal, type PrincipalCalls } from '../support/as-principal.ts'
import { noticeShown } from '../support/notices.ts'
import type { Person } from '../support/person.ts'
import { share } from '../support/share-calls.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'
import { until } from '../support/until.ts'

/** Bytes: more than sockets and browsers buffer. */
const largeSize = 400_000_000

const site = startSite({
  prepare: async ({ root }) => {
    mkdirSync(join(root, 'trip/more'), { recursive: true })
    writeFileSync(join(root, 'trip/film.bin'), '')
    truncateSync(join(root, 'trip/film.bin'), largeSize)
    writeFileSync(join(root, 'trip/notes.txt'), 'notes')
  },
})

async function administrator(): Promise<PrincipalCalls> {
  const login = JSON.stringify({ username: 'admin', password: administratorPassword })
  const answer = await fetch(`${site.url}/api/login`, { method: 'POST', body: login })
  return asPrincipal(site.url, await answer.text())
}

const link = async () => (await share(await administrator(), '/trip', { expires: 1, unit: 'days' })).hash

/** Opens the page of a link, and waits until it is told of changes. */
async function visit(hash: string): Promise<Person> {
  const visitor = await site.newPerson()
  const isFollowed = new Promise((resolve) => visitor.page.on('websocket', (socket) => socket.on('framereceived', resolve)))
  await visitor.page.goto(`${site.url}/share/${hash}`)
  await visitor.page.getByRole('heading', { name: 'trip' }).waitFor()
  await isFollowed
  return visitor
}

/** Opens the page of a link through a proxy that takes the place of the server's socket. */
async function visitThrough(proxy: (socket: WebSocketRoute) => void, hash: string): Promise<Person> {
  const visitor = await site.newPerson()
  await visitor.page.clock.install()
  await visitor.page.routeWebSocket(/\/api\/public\/live\//, proxy)
  await visitor.page.goto(`${site.url}/share/${hash}`)
  await visitor.page.getByRole('heading', { name: 'trip' }).waitFor()
  return visitor
}

/** The owner deletes the only link on the page about all links. */
async function deleteLink(page: Page): Promise<void> {
  await page.goto(`${site.url}/settings/shares`)
  await page.getByRole('button', { name: /^Delete link/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await noticeShown(page, 'Link deleted')
}

const isGone = (page: Page) => page.getByRole('heading', { name: 'This link does not work' }).waitFor()

test('a download ends when its link is deleted, and the open page says so by itself', async () => {
  const hash = await link()
  const owner = await site.openListing()
  const visitor = await visit(hash)
  // Reads the beginning, and waits: the rest is not sent before it is read.
  const read = await visitor.page.evaluateHandle(async (address) => {
    const body = (await fetch(address)).body?.getReader()
    const first = await body?.read()
    return { size: first?.value?.length ?? 0, body }
  }, `/api/public/dl/${hash}/film.bin`)
  assert.ok((await read.evaluate(({ size }) => size)) > 0)
  await deleteLink(owner.page)
  const end = await read.evaluate(async ({ size, body }) => {
    let sum = size
    try {
      for (;;) {
        const part = await body?.read()
        if (!part || part.done) return { sum, isCut: false }
        sum += part.value.length
      }
    } catch {
      return { sum, isCut: true }
    }
  })
  assert.equal(end.isCut, true, `${end.sum} bytes were sent`)
  assert.ok(end.sum < largeSize)
  await isGone(visitor.page)
  await visitor.page.getByRole('status').filter({ hasText: 'This link does not work' }).waitFor({ state: 'attached' })
  // Its console reports the download that was cut.
  await visitor.context.close()
  await owner.close()
})

test('a link that gets a password locks its open page, which opens with it and says at once when the link is deleted', async () => {
  const hash = await link()
  const owner = await site.openListing()
  const visitor = await visit(hash)
  const body = JSON.stringify({ password: 'a secret' })
  assert.equal((await (await administrator()).ask('PATCH', `/api/share/${hash}`, { body })).status, 200)
  await visitor.page.getByLabel('Password', { exact: true }).fill('a secret')
  const isFollowed = visitor.page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
  await visitor.page.getByRole('button', { name: 'Open' }).click()
  await visitor.page.getByRole('heading', { name: 'trip' }).waitFor()
  await isFollowed
  await deleteLink(owner.page)
  await isGone(visitor.page)
  await visitor.close()
  await owner.close()
})

test('what changes below the page leaves its search and its focus as they are', async () => {
  const hash = await link()
  const { page, close } = await visit(hash)
  await page.getByRole('searchbox').fill('notes')
  await page.getByRole('link', { name: /notes/ }).waitFor()
  const isRead = page.waitForResponse((answer) => answer.url().endsWith(`/api/public/share/${hash}`))
  const isFollowed = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
  const rename = (from: string, to: string) => ({ address: `/api/resources/${from}?action=rename&destination=/${to}` })
  const calls = await administrator()
  assert.equal((await calls.ask('PATCH', rename('trip', 'journey').address)).status, 200)
  await isRead
  await page.getByRole('heading', { name: 'journey' }).waitFor()
  await isFollowed
  assert.equal(await page.getByRole('searchbox').inputValue(), 'notes')
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'search')
  assert.equal(await page.getByRole('link', { name: /notes/ }).count(), 1)
  assert.equal((await calls.ask('PATCH', rename('journey', 'trip').address)).status, 200)
  await page.getByRole('heading', { name: 'trip' }).waitFor()
  assert.equal((await calls.ask('DELETE', `/api/share/${hash}`)).status, 200)
  await isGone(page)
  await close()
})

test('where no socket passes the page reads its link again every 15 seconds', async () => {
  const hash = await link()
  const owner = await site.openListing()
  let attempts = 0
  const visitor = await visitThrough((socket) => {
    attempts += 1
    void socket.close()
  }, hash)
  await until(() => attempts === 1, 'the page has tried to connect')
  await deleteLink(owner.page)
  await visitor.page.clock.fastForward(16_000)
  await isGone(visitor.page)
  await visitor.close()
  await owner.close()
})

for (const [what, act] of [
  ['the download of the folder', (page: Page) => page.getByRole('link', { name: 'Download folder' }).click()],
  ['a folder inside', (page: Page) => page.getByRole('link', { name: 'more' }).click()],
  ['the search', (page: Page) => page.getByRole('searchbox').fill('notes')],
] as const)
  test(`after a link was deleted its open page says so at ${what}`, async () => {
    const hash = await link()
    const owner = await site.openListing()
    // A proxy that keeps the socket open, and loses what the server says.
    const tell = (socket: WebSocketRoute) => socket.send('{"kind":"alive"}')
    const told: WebSocketRoute[] = []
    const visitor = await visitThrough((socket) => {
      told.push(socket)
      tell(socket)
    }, hash)
    const alive = setInterval(() => told.forEach(tell), 5000).unref()
    await deleteLink(owner.page)
    await act(visitor.page)
    await isGone(visitor.page)
    clearInterval(alive)
    await visitor.close()
    await owner.close()
  })
