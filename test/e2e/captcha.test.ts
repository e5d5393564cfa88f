// The captcha of the sign-in and the sign-up, with a stand-in for its host.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from '@playwright/test'
import { Site } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

/** What a host serves: a button that stands for the captcha, and the check of what it gave. */
const script = `window.grecaptcha = { ready: (work) => work(), render: (place, how) => {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'I am a person ' + how.sitekey })
  button.onclick = () => how.callback('solved')
  place.append(button)
} }`
const host = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.method === 'GET') return void response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script)
  const given = new URLSearchParams(body)
  const success = given.get('secret') === 'the secret' && given.get('response') === 'solved'
  response.end(JSON.stringify({ success }))
})
const folder = mkdtempSync(join(tmpdir(), 'holdall-captcha-'))
let site: Site | undefined
const running = () => site as Site

before(async () => {
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  writeFileSync(join(folder, 'secret'), 'the secret\n')
  const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  site = new Site([
    ...['--captcha-host', address, '--captcha-key', 'site-key'],
    ...['--captcha-secret-file', join(folder, 'secret')],
  ])
  await site.start({})
})
after(async () => {
  await site?.close()
  host.closeAllConnections()
  host.close()
  rmSync(folder, { recursive: true })
})

const solve = (page: Page) => page.getByRole('button', { name: 'I am a person site-key' }).click()

test('the captcha must be completed; wrong credentials ask for another one', async () => {
  const { page, close } = await running().newPerson()
  await page.goto(`${running().url}/files/`)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(administratorPassword)
  const before = page.getByRole('button', { name: 'I am a person' })
  await before.evaluate((button) => {
    button.id = 'first-captcha'
  })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Wrong credentials').waitFor()
  // What is solved before is forgotten.
  await page.locator('#first-captcha').waitFor({ state: 'detached' })
  await page.getByLabel('Password', { exact: true }).fill(administratorPassword)
  await solve(page)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.empty').waitFor()
  await close()
})

test('what is typed before the captcha has come is kept', async () => {
  const { page, close } = await running().newPerson()
  const filled = Promise.withResolvers<void>()
  await page.route('**/static/sign-up-*.css', async (route) => {
    await filled.promise
    await route.continue()
  })
  // The page of the files leads to the sign-in.
  await page.goto(`${running().url}/files/`)
  const field = page.getByLabel('Username')
  await field.fill('somebody')
  filled.resolve()
  await page.getByRole('button', { name: 'I am a person' }).waitFor()
  assert.equal(await field.inputValue(), 'somebody')
  await close()
})

test('the sign-up has the captcha, and needs no second one to sign in', async () => {
  const credentials = JSON.stringify({ username: 'admin', password: administratorPassword, recaptcha: 'solved' })
  const token = await (await fetch(`${running().url}/api/login`, { method: 'POST', body: credentials })).text()
  const body = JSON.stringify({ signup: true, createUserDir: true })
  const set = await fetch(`${running().url}/api/settings`, { method: 'PUT', headers: { 'X-Auth': token }, body })
  assert.equal(set.status, 200)
  const { page, close } = await running().newPerson()
  await page.goto(`${running().url}/login?signup`)
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  await page.getByLabel('Username').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('a long password of mine')
  await page.getByLabel('Confirm password').fill('a long password of mine')
  await solve(page)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.locator('.empty').waitFor()
  await close()
})
