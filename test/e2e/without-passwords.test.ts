// A server with --noauth: nobody signs in or out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSite } from '../support/site.ts'

const site = startSite({ flags: ['--noauth'] })

test('Sidebar: no Logout where nobody signs in with a password', async () => {
  const { page, close } = await site.newPerson()
  await page.goto(`${site.url}/files/`)
  const sidebar = page.getByRole('navigation', { name: 'Sidebar' })
  await sidebar.getByRole('button', { name: 'Settings' }).waitFor()
  assert.equal(await sidebar.getByRole('button', { name: 'Sign out' }).count(), 0)
  await close()
})

test('the settings say that nobody can sign up where nobody has a password', async () => {
  const { page, close } = await site.newPerson()
  await page.goto(`${site.url}/settings/global`)
  await page.getByText('Nobody can sign up: on this server nobody signs in with a password.').waitFor()
  await close()
})

test('a public page offers no login where there is none', async () => {
  const { page, close } = await site.newPerson()
  await page.goto(`${site.url}/share/AAAAAAAAAAAAAAAAAAAAAA`)
  await page.getByRole('heading').waitFor()
  assert.equal(await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).count(), 0)
  await close()
})
