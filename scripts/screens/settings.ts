// The settings of the server and of a person, and the users.
import type { Session } from '../../src-server/contract/session.ts'
import type { User } from '../../src-server/contract/users.ts'
import { configurePage } from '../../test/support/configure-page.ts'
import { problem } from '../../test/support/problem.ts'
import { almostAll, everywhere } from './looks.ts'
import { now } from './sample.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

async function openGlobal(stage: Stage) {
  await stage.go('/settings/global')
  await stage.page.locator('.fold').first().waitFor()
}

async function openArchives(stage: Stage) {
  await openGlobal(stage)
  const form = stage.page.getByRole('form', { name: stage.say('Archives') })
  await form.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await stage.rest()
}

/** As when the folder of the branding does not exist. */
async function refuse(stage: Stage) {
  await openGlobal(stage)
  const detail = 'branding.files is not the absolute path of a folder'
  const refused = problem(400, { detail, refusal: { field: 'branding.files', code: 'noFolder', params: {} } })
  await stage.page.route('**/api/settings', (route) => route.fulfill(refused))
  await stage.page.locator('form').first().locator('[type=submit]').click()
  await stage.page.locator('[aria-invalid=true]').waitFor()
}

const ago = (minutes: number) => now.getTime() / 1000 - minutes * 60
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const telephone = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

const sessions: readonly Session[] = [
  { id: 'one', createdAt: ago(600), usedAt: ago(1), address: '192.168.1.20', agent: firefox, isCurrent: true },
  { id: 'two', createdAt: ago(30_000), usedAt: ago(300), address: '203.0.113.12', agent: telephone, isCurrent: false },
  { id: 'three', createdAt: ago(40_000), usedAt: ago(9000), address: '2001:db8::7334', agent: 'curl/8.5.0', isCurrent: false },
]

async function openProfile(stage: Stage) {
  await stage.page.route('**/api/sessions', (route) => route.fulfill({ json: sessions }))
  await stage.go('/settings/profile')
  await stage.page.locator('form [type=password]').first().fill('willow-kettle-9')
  await stage.page.getByText('192.168.1.20').waitFor()
}

const all = { admin: true, execute: true, create: true, rename: true, modify: true, delete: true, share: true, download: true }

const admin: User = {
  ...{ id: 1, username: 'admin', password: '', scope: '/', locale: '', lockPassword: false, viewMode: 'list', perm: all },
  ...{ sorting: { by: 'name', asc: true }, commands: [], rules: [] },
}

const treasurer: User = {
  ...{ ...admin, id: 2, username: 'treasurer', scope: '/Allotment/Receipts', commands: ['git', 'du'] },
  perm: { ...all, admin: false, delete: false, share: false },
  rules: [
    { allow: false, path: '/Allotment/Committee', regex: false, regexp: { raw: '' } },
    { allow: true, path: '', regex: true, regexp: { raw: '\\.(pdf|xlsx)$' } },
  ],
}

async function answerUsers({ page }: Stage) {
  await page.route('**/api/users', (route) => route.fulfill({ json: [admin, treasurer, { ...admin, id: 3, username: 'نور' }] }))
  for (const user of [admin, treasurer]) await page.route(`**/api/users/${user.id}`, (route) => route.fulfill({ json: user }))
}

async function openUsers(stage: Stage) {
  await answerUsers(stage)
  await stage.go('/settings/users')
  await stage.page.getByText('treasurer').waitFor()
}

const openUser = (id: number | 'new') => async (stage: Stage) => {
  await answerUsers(stage)
  await stage.go(`/settings/users/${id}`)
  await stage.page.locator('.settings form [autocomplete]').first().waitFor()
}

/** The commands of events, with one section open. */
async function openRunner(stage: Stage) {
  await configurePage(stage.page, { EnableExec: true })
  await openGlobal(stage)
  const form = stage.page.locator('form').last()
  await form.locator('summary').nth(5).click()
  await form.locator('textarea:visible').fill('logger "$USERNAME uploads $FILE"\nclamdscan --no-summary "$FILE"')
  await form.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await stage.rest()
}

export const settings: readonly State[] = statesOf('settings', [
  ['profile', everywhere, openProfile],
  ['users', almostAll, openUsers],
  ['user-new', almostAll, openUser('new')],
  ['user-edit', almostAll, openUser(2)],
  ['global', everywhere, openGlobal],
  ['global-runner', everywhere, openRunner],
  ['global-archives', almostAll, openArchives],
  ['global-refused', ['light', 'phone'], refuse],
])
