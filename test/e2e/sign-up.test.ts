// Sign-up: the toggle, the two passwords, and what comes afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const site = startSite()

async function set(settings: object) {
  const credentials = JSON.stringify({ username: 'admin', password: administratorPassword })
  const token = await (await fetch(`${site.url}/api/login`, { method: 'POST', body: credentials })).text()
  const answer = await fetch(`${site.url}/api/settings`, {
    method: 'PUT',
    headers: { 'X-Auth': token },
    body: JSON.stringify(settings),
  })
  assert.equal(answer.status, 200)
}

test('without sign-up the login has no toggle', async () => {
  await set({ signup: false })
  const { page, close } = await site.newPerson()
  await page.goto(`${site.url}/login`)
  await page.getByLabel('Username').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign up' }).count(), 0)
  await close()
})

test('sign-up: the passwords must match, a taken name is said, then it registers, signs in and opens the wanted page', async () => {
  await set({ signup: true, createUserDir: true })
  const { page, close } = await site.newPerson()
  await page.goto(`${site.url}/settings`)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(new URL(request.url()).pathname)))
  await page.getByLabel('Username').fill('Admin')
  await page.getByLabel('Password', { exact: true }).fill('a long password of mine')
  await page.getByLabel('Confirm password').fill('another')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('alert').getByText('Passwords don\u0027t match').waitFor()
  assert.deepEqual(sent, [])
  await page.getByLabel('Confirm password').fill('a long password of mine')
  await page.getByText('The passwords match').waitFor()
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('alert').getByText('Username already taken').waitFor()
  await page.getByLabel('Username').fill('ann')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(`${site.url}/settings/profile`)
  assert.deepEqual(sent.slice(0, 3), ['/api/signup', '/api/signup', '/api/login'])
  await close()
})

test('Sidebar when logged out: Signup, if enabled', async () => {
  await set({ signup: true, createUserDir: true })
  const { page, close } = await site.newPerson()
  await page.goto(`${site.url}/404`)
  const sidebar = page.getByRole('navigation', { name: 'Sidebar' })
  await sidebar.getByRole('button', { name: 'Sign up' }).waitFor()
  assert.deepEqual(await sidebar.getByRole('button').allTextContents(), ['Sign in', 'Sign up'])
  await sidebar.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  await close()
})

test('a public page offers Login, and Signup if enabled', async () => {
  const { page, close } = await site.newPerson()
  for (const [signup, offered] of [
    [false, ['Sign in']],
    [true, ['Sign in', 'Sign up']],
  ] as const) {
    await set({ signup, createUserDir: true })
    await page.goto(`${site.url}/share/AAAAAAAAAAAAAAAAAAAAAA`)
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
    const links = page.getByRole('banner').getByRole('link').filter({ hasText: 'Sign' })
    assert.deepEqual(await links.allTextContents(), [...offered])
  }
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  await close()
})

test('the toggle leads to the sign-up and back', async () => {
  await set({ signup: true, createUserDir: true })
  const { page, close } = await site.newPerson()
  await page.goto(`${site.url}/login`)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await close()
})
