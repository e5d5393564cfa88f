// The branding as people see it: name, accent, logo, theme, and where the style sheet is.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { signIn } from '../support/person.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const site = startSite({ files: { 'a.txt': 'a' } })
const name = '</script><script>alert(1)</script>'

async function call(method: string, path: string, body: object): Promise<string> {
  const credentials = JSON.stringify({ username: 'admin', password: administratorPassword })
  const token = await (await fetch(`${site.url}/api/login`, { method: 'POST', body: credentials })).text()
  const answer = await fetch(site.url + path, { method, headers: { 'X-Auth': token }, body: JSON.stringify(body) })
  assert.equal(answer.status, 200)
  return answer.text()
}

async function brand() {
  const files = join(site.folder, 'branding')
  await mkdir(join(files, 'img'), { recursive: true })
  await writeFile(join(files, 'img/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>')
  const css = ':root { --text: rgb(1, 2, 3) }'
  await call('PUT', '/api/settings', { branding: { name, files, css, color: '#2979ff', theme: 'dark' } })
}

/** Whether the style sheet holds: its colour is that of the texts. */
const isStyled = (page: Page) => page.evaluate(() => getComputedStyle(document.body).color === 'rgb(1, 2, 3)')
const styled = (page: Page) => page.waitForFunction(() => getComputedStyle(document.body).color === 'rgb(1, 2, 3)')
const plain = (page: Page) => page.waitForFunction(() => getComputedStyle(document.body).color !== 'rgb(1, 2, 3)')

test('name, accent, theme and logo are on every page; the style sheet is not where passwords and settings are', async () => {
  await brand()
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/login`)
  await page.getByText(name).waitFor()
  const look = await page.evaluate(() => ({
    theme: document.documentElement.dataset.theme,
    logo: getComputedStyle(document.querySelector('.bag-card > .wordmark') as Element).backgroundImage,
    button: getComputedStyle(document.querySelector('.button-primary') as Element).backgroundColor,
  }))
  assert.equal(await page.getByText(/Holdall/).count(), 0)
  assert.equal(look.theme, 'dark')
  assert.match(look.logo, /static\/img\/logo\.svg/)
  assert.match(look.button, /^oklch\(0\.756 0\.15 26\d/)
  assert.equal(await isStyled(page), false)
  await signIn(page, site.url)
  await styled(page)
  assert.equal(await page.locator('.brand-name').first().textContent(), name)
  assert.match(await page.title(), / · <\/script><script>alert\(1\)<\/script>$/)
  await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Global settings' }).click()
  await page.getByRole('form', { name: 'General' }).waitFor()
  await plain(page)
  await page.getByRole('link', { name: 'Profile settings' }).click()
  await styled(page)
  await person.close()
})

test('a locked link has the style sheet only after its password', async () => {
  await brand()
  const { hash } = JSON.parse(await call('POST', '/api/share/a.txt', { password: 'open sesame please' })) as { hash: string }
  const person = await site.newPerson()
  const { page } = person
  await page.goto(`${site.url}/share/${hash}`)
  await page.getByRole('textbox', { name: 'Password' }).fill('open sesame please')
  assert.equal(await isStyled(page), false)
  await page.keyboard.press('Enter')
  await styled(page)
  await person.close()
})

test('light and dark are those of the system, unless one of them is configured', async () => {
  const person = await site.newPerson()
  const { page } = person
  const background = async (theme: string, colorScheme: 'light' | 'dark') => {
    await call('PUT', '/api/settings', { branding: { theme } })
    await page.emulateMedia({ colorScheme })
    await page.goto(`${site.url}/login`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  }
  const [light, dark] = [await background('', 'light'), await background('', 'dark')]
  assert.notEqual(light, dark)
  assert.deepEqual([await background('light', 'dark'), await background('dark', 'light')], [light, dark])
  await person.close()
})
