// The list of users, the page of one, and the form for a new one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from '@playwright/test'
import { noticeShown } from '../support/notices.ts'
import { fillCredentials, signIn } from '../support/person.ts'
import { problem } from '../support/problem.ts'
import { startSite } from '../support/site.ts'
import { administratorPassword } from '../support/start-executable.ts'

const site = startSite({ files: { 'a.txt': 'a', 'people/ann/b.txt': 'b' }, user: { username: 'ann', may: ['create'] } })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

async function open(path: string) {
  const person = await site.openListing()
  await person.page.goto(site.url + path)
  return person
}

test('User list: username, administrator, scope, edit link, New', async () => {
  const { page, close } = await open('/settings/users')
  const row = page.getByRole('row', { name: /admin/ })
  await row.waitFor()
  assert.deepEqual(await page.getByRole('columnheader').allTextContents(), ['Username', 'Role', 'Scope', 'Edit'])
  assert.deepEqual(await row.getByRole('cell').allTextContents(), ['ADadminyou', 'Administrator', '/', 'Edit'])
  await page.getByRole('link', { name: 'Edit “ann”' }).click()
  await page.getByRole('heading', { name: /^User “.ann.”$/ }).waitFor()
  await button(page, 'Back to users').click()
  await button(page, 'New').last().click()
  await page.waitForURL(`${site.url}/settings/users/new`)
  await page.getByRole('heading', { name: 'New user' }).waitFor()
  await close()
})

test('a new user is created with the form, gets a page, signs in, and is deleted after a question', async () => {
  const { page, close } = await open('/settings/users/new')
  await field(page, 'Username').fill('rosa')
  await field(page, 'Password').fill('rosa')
  await page.getByText('At least 12 characters.').waitFor()
  await button(page, 'Generate').click()
  const password = await field(page, 'Password').inputValue()
  assert.match(password, /^\w{5}-\w{5}-\d\d-\w{5}-\w{5}$/)
  await button(page, 'Choose').click()
  const dialog = page.getByRole('dialog', { name: 'Choose the scope' })
  await dialog.getByRole('option', { name: 'people' }).click()
  await dialog.getByRole('button', { name: 'Choose' }).click()
  assert.equal(await field(page, 'Scope').inputValue(), '/people')
  await button(page, 'Save').click()
  await noticeShown(page, 'User created!')
  await page.getByRole('heading', { name: /^User “.rosa.”$/ }).waitFor()
  assert.match(page.url(), /\/settings\/users\/\d+$/)
  const rosa = await site.newPerson()
  await rosa.page.goto(site.url)
  await fillCredentials(rosa.page, 'rosa', password)
  await rosa.page.getByRole('row', { name: /ann/ }).waitFor()
  await rosa.close()
  await button(page, 'Delete').click()
  const question = page.getByRole('dialog', { name: /Delete “.rosa.”\?/ })
  await question.getByText('Are you sure you want to delete this user?').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
  await question.getByRole('button', { name: 'Delete' }).click()
  await noticeShown(page, 'User deleted!')
  await page.waitForURL(`${site.url}/settings/users`)
  await page.getByRole('link', { name: 'Edit “ann”' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Edit “rosa”' }).count(), 0)
  await close()
})

test('an administrator has every permission, ticked and disabled, and no locked password', async () => {
  const { page, close } = await open('/settings/users/2')
  await box(page, 'Prevent password changes').check()
  assert.equal(await box(page, 'Share').isChecked(), false)
  await box(page, 'Administrator').check()
  for (const name of ['Create files and folders', 'Delete', 'Download', 'Edit', 'Execute commands', 'Rename and move', 'Share']) {
    assert.deepEqual([await box(page, name).isChecked(), await box(page, name).isDisabled()], [true, true], name)
  }
  const lock = box(page, 'Prevent password changes')
  assert.deepEqual([await lock.isChecked(), await lock.isDisabled()], [false, true])
  await close()
})

test('Rules editor: New adds an allowing path rule whose path has the focus, Enter does nothing, and remove takes it away', async () => {
  const { page, close } = await open('/settings/users/2')
  await button(page, 'New rule').click()
  const rule = page.getByRole('group', { name: 'Rule 1' })
  assert.equal(await rule.getByRole('combobox').inputValue(), 'allow')
  assert.equal(await rule.getByRole('checkbox').isChecked(), false)
  assert.equal(await rule.getByRole('textbox').inputValue(), '')
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'PUT' && sent.push(request.url())))
  await rule.getByRole('textbox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('/private')
  assert.equal(await rule.getByRole('textbox').inputValue(), '/private')
  await page.keyboard.press('Enter')
  assert.deepEqual([sent, await page.getByRole('group', { name: /^Rule \d/ }).count()], [[], 1])
  await button(page, 'Remove rule').click()
  await rule.waitFor({ state: 'detached' })
  await close()
})

test('what the form holds is stored with Save, a blank password keeps the old one, and refusals stand beside their fields', async () => {
  const { page, close } = await open('/settings/users/2')
  assert.equal(await field(page, 'Password').getAttribute('placeholder'), 'leave blank to avoid changes')
  const language = page.getByRole('combobox', { name: 'Language' })
  assert.equal(await language.inputValue(), '')
  await language.selectOption({ label: 'English' })
  await box(page, 'Execute commands').check()
  await field(page, 'Commands').fill('  git  ls ')
  await button(page, 'New rule').click()
  await field(page, 'Path').fill('(key|pem$')
  await box(page, 'Regex').check()
  await button(page, 'Save').click()
  await page.getByRole('alert').getByText('Not a valid expression.').waitFor()
  await field(page, 'Expression').fill('\\.key$')
  await page.getByRole('combobox', { name: 'Allow or deny' }).selectOption('deny')
  await field(page, 'Username').fill('admin')
  await button(page, 'Save').click()
  await page.getByRole('alert').getByText('Username already taken').waitFor()
  await field(page, 'Username').fill('ann')
  await button(page, 'Save').click()
  await noticeShown(page, 'User updated!')
  await page.reload()
  await field(page, 'Commands').waitFor()
  assert.equal(await field(page, 'Commands').inputValue(), 'git ls')
  assert.equal(await language.inputValue(), 'en')
  assert.equal(await field(page, 'Expression').inputValue(), '\\.key$')
  const ann = await site.newPerson()
  await signIn(ann.page, site.url, 'ann')
  await ann.close()
  await close()
})

test('a password is asked for in place when the sign-in is too old for the change, and the form stays', async () => {
  const { page, close } = await open('/settings/users')
  const row = page.getByRole('row', { name: /ann/ })
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: /^User “.ann.”$/ }).waitFor()
  const refuse = async (route: Route) => {
    const isProven = route.request().postDataJSON()?.current_password !== undefined
    if (isProven || route.request().method() !== 'PUT') return route.continue()
    return route.fulfill(problem(403, { refusal: { code: 'proofNeeded', params: {} } }))
  }
  await page.route('**/api/users/*', refuse)
  await box(page, 'Rename and move').setChecked(true)
  const prompt = page.getByRole('dialog', { name: 'Confirm with your password' })
  await button(page, 'Save').click()
  await prompt.getByRole('button', { name: 'Cancel' }).click()
  await prompt.waitFor({ state: 'detached' })
  assert.equal(await box(page, 'Rename and move').isChecked(), true)
  await button(page, 'Save').click()
  await prompt.locator('input[name=password]:focus').waitFor()
  await page.keyboard.type('not it')
  await page.keyboard.press('Enter')
  await prompt.getByText('This is not your current password.').waitFor()
  await page.keyboard.type(administratorPassword)
  await page.keyboard.press('Enter')
  await prompt.waitFor({ state: 'detached' })
  await noticeShown(page, 'User updated!')
  assert.equal(await page.locator('.toast-error').count(), 0)
  await close()
})

test('a user who is not there leads to the form for a new one', async () => {
  const { page, close } = await open('/settings/users/999')
  await page.waitForURL(`${site.url}/settings/users/new`)
  await page.getByRole('heading', { name: 'New user' }).waitFor()
  await close()
})

test('people who are no administrators are led to 403', async () => {
  const person = await site.newPerson()
  const { page } = person
  await signIn(page, site.url, 'ann')
  for (const path of ['global', 'users', 'users/new', 'users/1']) {
    await page.goto(`${site.url}/settings/${path}`)
    await page.waitForURL(`${site.url}/403`)
  }
  await person.close()
})
