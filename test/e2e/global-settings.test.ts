// The settings of the server: five cards, each stored by itself.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import type { Settings } from '../../src-server/contract/settings.ts'
import { noticeShown } from '../support/notices.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const site = startSite({ flags: ['--enable-exec'], files: { 'a.txt': 'a', 'people/ann.txt': 'a' } })
const card = (page: Page, name: string) => page.getByRole('form', { name, exact: true })
const update = (page: Page, name: string) => card(page, name).getByRole('button', { name: 'Save' }).click()

const start: Settings = {
  ...{ signup: false, createUserDir: false, rules: [], shell: [] },
  branding: { name: '', disableExternal: false, disableUsedPercentage: false, theme: '', color: '', files: '', css: '' },
  defaults: {
    ...{ scope: '/', locale: '', viewMode: 'mosaic', commands: [], sorting: { by: 'name', asc: true } },
    perm: {
      ...{ admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true },
    },
  },
  commands: {
    ...{ after_copy: [], after_delete: [], after_rename: [], after_save: [], after_upload: [] },
    ...{ before_copy: [], before_delete: [], before_rename: [], before_save: [], before_upload: [] },
  },
  hookLimits: { seconds: 30, kilobytes: 64 },
  trash: { isOn: true, days: 30, percent: 10, isNews: false },
  uploads: { days: 7 },
  archives: { gigabytes: 100, ratio: 1000, entries: 1_000_000, spare: 5 },
}

async function call(method: 'GET' | 'PUT', body?: object): Promise<Settings> {
  const credentials = JSON.stringify({ username: 'admin', password: administratorPassword })
  const token = await (await fetch(`${site.url}/api/login`, { method: 'POST', body: credentials })).text()
  const init = { method, headers: { 'X-Auth': token }, ...(body && { body: JSON.stringify(body) }) }
  const answer = await fetch(`${site.url}/api/settings`, init)
  assert.equal(answer.status, 200)
  return method === 'GET' ? ((await answer.json()) as Settings) : start
}

/** The page of an administrator, with the settings of a new server and these. */
async function open(settings: object = {}) {
  await call('PUT', start)
  await call('PUT', settings)
  const person = await site.openListing()
  await person.page.goto(`${site.url}/settings/global`)
  await card(person.page, 'General').waitFor()
  return person
}

test('Global: six cards, each with its own Update, which stores that card alone', async () => {
  const { page, close } = await open()
  assert.deepEqual(await page.getByRole('heading', { level: 2 }).allTextContents(), [
    ...['General', 'Rules', 'Branding', 'Defaults for new users', 'Trash', 'Unfinished uploads', 'Archives', 'Command runner'],
  ])
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 6)
  await page.getByRole('checkbox', { name: 'Allow sign-up' }).check()
  await card(page, 'Defaults for new users').getByLabel('Scope').fill('/people')
  await update(page, 'Defaults for new users')
  await noticeShown(page, 'Settings updated!')
  const { signup, defaults } = await call('GET')
  assert.deepEqual([signup, defaults.scope], [false, '/people'])
  assert.equal(await page.getByRole('checkbox', { name: 'Allow sign-up' }).isChecked(), true)
  await close()
})

test('General: sign-up, home folders, rules, shell, branding, theme and style sheet are stored, and are there after a reload', async () => {
  const { page, close } = await open()
  const branding = join(site.folder, 'branding')
  await mkdir(branding, { recursive: true })
  await page.getByRole('checkbox', { name: 'Allow sign-up' }).check()
  await page.getByRole('checkbox', { name: 'Create a home folder' }).check()
  await page.getByLabel('Shell').fill('  bash   -c ')
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByRole('textbox', { name: 'Path', exact: true }).fill('/private')
  await page.getByLabel('Name', { exact: true }).fill('Mill House </script>')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await page.getByLabel('Accent colour').fill('#2979ff')
  await page.getByLabel('Folder with the branding files').fill(branding)
  await page.getByLabel('Custom stylesheet').fill('a { color: red }')
  await page.getByRole('img', { name: /^Mill House/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Disable external links' }).check()
  await page.getByRole('checkbox', { name: 'Hide how full the disk is' }).check()
  await update(page, 'General')
  await noticeShown(page, 'Settings updated!')
  assert.deepEqual(await call('GET'), {
    ...start,
    ...{ signup: true, createUserDir: true, shell: ['bash', '-c'] },
    rules: [{ allow: true, path: '/private', regex: false, regexp: { raw: '' } }],
    branding: {
      ...{ name: 'Mill House </script>', theme: 'dark', color: '#2979ff', files: branding, css: 'a { color: red }' },
      ...{ disableExternal: true, disableUsedPercentage: true },
    },
  })
  await page.reload()
  assert.equal(await page.getByLabel('Shell').inputValue(), 'bash -c')
  await page.getByText('Nothing runs').waitFor({ state: 'detached' })
  await close()
})

test('an invalid expression, a missing folder and a style sheet that loads something are refused beside the field, and nothing of the card is saved', async () => {
  const { page, close } = await open()
  await page.getByRole('checkbox', { name: 'Allow sign-up' }).check()
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByRole('textbox', { name: 'Path', exact: true }).fill('\\.(key|pem$')
  await page.getByRole('checkbox', { name: 'Regex' }).check()
  await update(page, 'General')
  await page.getByRole('alert').getByText('Not a valid expression.').waitFor()
  await page.getByRole('alert').getByText('Nothing was saved').waitFor()
  await page.getByRole('textbox', { name: 'Expression' }).and(page.locator(':focus')).waitFor()
  await page.getByRole('textbox', { name: 'Expression' }).fill('\\.(key|pem)$')
  await page.getByLabel('Folder with the branding files').fill('/none/such')
  await update(page, 'General')
  await page.getByRole('alert').getByText('There is no such folder on the server.').waitFor()
  assert.equal(await page.getByLabel('Folder with the branding files').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Folder with the branding files').fill('')
  await page.getByLabel('Accent colour').fill('green')
  await update(page, 'General')
  await page.getByRole('alert').getByText('Enter a colour such as #286a51.').waitFor()
  await page.getByLabel('Accent colour').fill('')
  await page.getByLabel('Custom stylesheet').fill('@import "https://example.com"')
  await update(page, 'General')
  await page.getByRole('alert').getByText('@import').waitFor()
  assert.deepEqual(await call('GET'), start)
  await close()
})

test('a path is tried with the rules as they are typed, and the rule that decides is named', async () => {
  const { page, close } = await open()
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByRole('group', { name: 'Rule 2' }).getByRole('textbox').fill('/private')
  await page.getByRole('group', { name: 'Rule 2' }).getByRole('combobox').selectOption('deny')
  const trial = page.getByRole('group', { name: 'Test a path' })
  await trial.getByLabel('Username').fill('nobody')
  await trial.getByLabel('Path to test').fill('/private/a.txt')
  await trial.getByLabel('Path to test').press('Enter')
  await trial.getByRole('alert').getByText('There is no such user.').waitFor()
  await trial.getByLabel('Username').fill('admin')
  await trial.getByRole('button', { name: 'Test' }).click()
  await trial.getByRole('status').getByText('Denied. Global rule 2 decides.').waitFor()
  await trial.getByLabel('Path to test').fill('/public')
  await trial.getByRole('status').waitFor({ state: 'detached' })
  await trial.getByLabel('Path to test').press('Enter')
  await trial.getByRole('status').getByText('Allowed. No rule matches.').waitFor()
  assert.deepEqual(await call('GET'), start)
  await page.goto(`${site.url}/settings/users/new`)
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByRole('textbox', { name: 'Path', exact: true }).fill('/private')
  await trial.getByLabel('Path to test').fill('/private')
  await trial.getByRole('button', { name: 'Test' }).click()
  await trial.getByRole('status').getByText('Allowed. Rule 1 of the user decides.').waitFor()
  await close()
})

test('Command runner: one section for each event, a command a line, without the empty ones', async () => {
  const { page, close } = await open()
  const runner = card(page, 'Command runner')
  assert.deepEqual(
    await runner.locator('summary').allTextContents(),
    ['copy', 'rename', 'upload', 'delete', 'save'].flatMap((act) => [`Before ${act}`, `After ${act}`]),
  )
  await runner.getByText('After upload').click()
  await runner.getByRole('textbox', { name: 'After upload' }).fill('true\n\n  \nlogger "$FILE" &')
  await update(page, 'Command runner')
  await noticeShown(page, 'Commands updated!')
  await runner.getByText('2 commands').waitFor()
  assert.deepEqual((await call('GET')).commands, { ...start.commands, after_upload: ['true', 'logger "$FILE" &'] })
  await close()
})

test('Command runner: time and output of a command are limited, and a limit that cannot be is refused beside its field', async () => {
  const { page, close } = await open()
  const runner = card(page, 'Command runner')
  const seconds = runner.getByLabel('Time limit in seconds')
  assert.equal(await seconds.inputValue(), '30')
  await seconds.fill('0')
  await update(page, 'Command runner')
  await runner.getByText('A whole number from 1 to 600').waitFor()
  assert.equal(await seconds.getAttribute('aria-invalid'), 'true')
  assert.deepEqual((await call('GET')).hookLimits, start.hookLimits)
  await seconds.fill('5')
  await runner.getByLabel('Output limit in KB').fill('1024')
  await update(page, 'Command runner')
  await noticeShown(page, 'Commands updated!')
  assert.deepEqual((await call('GET')).hookLimits, { seconds: 5, kilobytes: 1024 })
  await close()
})

test('what somebody else stored in the same field meanwhile is shown beside what was typed, and one of both is kept', async () => {
  const { page, close } = await open()
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await call('PUT', { branding: { name: 'Theirs' } })
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await update(page, 'General')
  assert.match((await sent).headers()['if-match'] ?? '', /^"[\w-]{22}"$/)
  const conflict = page.getByRole('region', { name: 'Someone else changed this' })
  await conflict.waitFor()
  assert.deepEqual(await conflict.locator('.difference').allTextContents(), ['NameYoursMineTheirsTheirs'])
  assert.equal((await call('GET')).branding.name, 'Theirs')
  await conflict.getByRole('button', { name: 'Use theirs' }).click()
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Theirs')
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await call('PUT', { branding: { name: 'Again', theme: 'dark' } })
  await update(page, 'General')
  await conflict.waitFor()
  assert.deepEqual(await conflict.locator('.difference').allTextContents(), ['NameYoursMineTheirsAgain'])
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await noticeShown(page, 'Settings updated!')
  await conflict.waitFor({ state: 'detached' })
  assert.deepEqual((await call('GET')).branding, { ...start.branding, name: 'Mine', theme: 'dark' })
  await close()
})

test('a change of another field or card by somebody else is no conflict', async () => {
  const { page, close } = await open()
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await call('PUT', { defaults: { locale: 'de' }, branding: { theme: 'dark' } })
  await update(page, 'General')
  await noticeShown(page, 'Settings updated!')
  const { branding, defaults } = await call('GET')
  assert.deepEqual([branding.name, branding.theme, defaults.locale], ['Mine', 'dark', 'de'])
  await close()
})

test('a new user begins with the user defaults', async () => {
  const { page, close } = await open({ defaults: { ...start.defaults, scope: '/people', locale: 'fr' } })
  await page.goto(`${site.url}/settings/users/new`)
  assert.equal(await page.getByLabel('Scope').inputValue(), '/people')
  assert.equal(await page.getByLabel('Language').inputValue(), 'fr')
  await close()
})

const off = startSite()

test('without --enable-exec shell and command runner are disabled, and the page says so', async () => {
  const { page, close } = await off.openListing()
  await page.goto(`${off.url}/settings/global`)
  await card(page, 'Command runner').getByText('Nothing runs: the server was started without').waitFor()
  assert.equal(await page.getByLabel('Shell').isDisabled(), true)
  assert.equal(await card(page, 'Command runner').getByRole('button', { name: 'Save' }).isDisabled(), true)
  await close()
})

test('a proxy that is not named is told, with the option that names it', async () => {
  await fetch(`${off.url}/health`, { headers: { 'X-Forwarded-For': '192.0.2.1' } })
  const { page, close } = await off.openListing()
  await page.goto(`${off.url}/settings/global`)
  await card(page, 'General').getByText('start the server with --trusted-proxy 127.0.0.1:').waitFor()
  // However narrow the window, the option is not broken at its hyphen.
  const option = card(page, 'General').getByText('--trusted-proxy', { exact: true })
  for (const width of [390, 420, 450, 480, 510]) {
    await page.setViewportSize({ width, height: 844 })
    assert.equal(await option.evaluate((one) => one.getClientRects().length), 1, `at ${width} px`)
  }
  await close()
})

test('Update on one card keeps what is typed in the others, and a form with unsaved changes asks before it is left', async () => {
  const { page, close } = await open()
  await card(page, 'General').getByLabel('Shell').fill('sh -c')
  await card(page, 'Defaults for new users').getByLabel('Scope').fill('/people')
  await card(page, 'Command runner').getByLabel('Time limit').fill('7')
  await update(page, 'Defaults for new users')
  await noticeShown(page, 'Settings updated!')
  await card(page, 'Defaults for new users').getByText('Not saved yet').waitFor({ state: 'detached' })
  await card(page, 'General').getByText('Not saved yet').waitFor()
  await update(page, 'General')
  await card(page, 'General').getByText('Not saved yet').waitFor({ state: 'detached' })
  assert.equal(await card(page, 'Command runner').getByLabel('Time limit').inputValue(), '7')
  await page.locator('.tab').getByText('User management').click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  assert.match(page.url(), /\/settings\/global$/)
  await update(page, 'Command runner')
  await card(page, 'Command runner').getByText('Not saved yet').waitFor({ state: 'detached' })
  await card(page, 'General').getByLabel('Shell').fill('other')
  await page.locator('.tab').getByText('User management').click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL('**/settings/users')
  const { shell, defaults, hookLimits } = await call('GET')
  assert.deepEqual([shell, defaults.scope, hookLimits.seconds], [['sh', '-c'], '/people', 7])
  await close()
})
