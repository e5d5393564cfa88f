// Links that take files in: the dialog of their owners, their list, and the page of those who send files.
import type { RequestForm } from '../../src-server/contract/request-form.ts'
import type { RequestLink, RequestPage } from '../../src-server/contract/requests.ts'
import { almostAll, everywhere } from './looks.ts'
import { showForm } from './request-form.ts'
import { now } from './sample.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const day = 86_400
const seconds = now.getTime() / 1000
const hash = 'Kd83tWn5bE2mZx0QvLr7uA'

const link: RequestLink = {
  ...{ hash, path: '/Allotment/Receipts', name: 'Receipts', userID: 1, username: 'admin', created: seconds - 9 * day },
  ...{ title: 'Photographs for the autumn show', text: 'The show committee receives what you send.', expire: seconds + 10 * day },
  ...{ hasPassword: true, mostBytes: 20e9, mostFileBytes: 200e6, mostFiles: 10_000, filesAnHour: 2000, endings: [] },
  ...{
    asksName: true,
    hasFolders: true,
    tells: true,
    files: 46,
    bytes: 1_800_000_000,
    senders: 9,
    lastAt: seconds - 300,
    seen: 43,
  },
}
const closed: RequestLink = {
  ...link,
  ...{ hash: `z${hash.slice(1)}`, title: 'Seed orders', closedAt: seconds - 2 * day, hasPassword: false, files: 0, seen: 0 },
}

const sender = (name: string | undefined, files: number, bytes: number, ago: number) => ({
  ...{ id: `${name}${files}`, files, bytes, lastAt: seconds - ago },
  ...(name !== undefined && { name, path: `/Allotment/Receipts/${name}` }),
})
const senders = [
  sender('Rosa, plot 31', 3, 131e6, 300),
  sender('نور', 11, 402e6, day),
  sender('letícia', 6, 88e6, 4 * day),
  sender(undefined, 1, 1e6, 5 * day),
]

async function answerOwner(stage: Stage, links: readonly RequestLink[]) {
  await stage.page.route('**/api/requests', (route) => route.fulfill({ json: links }))
  await stage.page.route('**/api/requests/*/senders', (route) => route.fulfill({ json: { senders } }))
  await stage.page.route('**/api/requests/*/seen', (route) => route.fulfill({ body: '200 OK' }))
}

/** Opens the dialog from the menu of a folder: on a phone the selection has no room for all its commands. */
async function openDialog(stage: Stage, links: readonly RequestLink[], shown: string) {
  await answerOwner(stage, links)
  await stage.folder()
  await stage.select('Receipts')
  await stage.entry('Receipts').focus()
  await stage.press('ContextMenu')
  await stage.page.getByRole('menuitem', { name: stage.say('Request files') }).click()
  await stage.page.locator(shown).first().waitFor()
}

async function fillForm(stage: Stage) {
  await openDialog(stage, [], '.request-pair')
  await stage.page.getByLabel(stage.say('Kinds of file')).selectOption('own')
  await stage.page.getByLabel(stage.say('Endings'), { exact: true }).fill('<b>')
  await stage.button('Create link').click()
  await stage.page.locator('.field-error').waitFor()
}

async function askToClose(stage: Stage) {
  await openDialog(stage, [link], '.request-senders')
  await stage.button('Close it now').click()
  await stage.page.locator('.link-question').waitFor()
}

async function openList(stage: Stage) {
  await answerOwner(stage, [link, closed])
  await stage.page.route('**/api/shares', (route) => route.fulfill({ json: [] }))
  await stage.go('/settings/shares')
  await stage.page.locator('.tab .request-unseen').waitFor()
  await stage.page.locator('.request-list').scrollIntoViewIfNeeded()
}

const open: RequestPage = {
  ...{ kind: 'open', title: link.title, text: link.text, expire: link.expire, mostFileBytes: 200e6, asksName: true },
  ...{ hasFolders: true, sent: [], sentCount: 0, receipts: [], unfinished: [] },
}
const receipts = [{ number: 'H7-2K4M-KQ', at: seconds - day, files: 3, bytes: 131e6 }]
const files = ['Pears along the south wall.jpg', 'Turning the compost, sped up.mp4', 'First frost on the leeks.jpg', 'tool.exe']

/** The page as the server answers, with the same address in every run. */
const visit = (status: number, json: unknown) => async (stage: Stage) => {
  await stage.page.route('**/api/public/request/*', (route) => route.fulfill({ status, json }))
  await stage.go(`/request/${hash}`)
  await stage.page.locator('h1').waitFor()
}

async function choose(stage: Stage) {
  await visit(200, { ...open, endings: ['jpg', 'mp4'] })(stage)
  const chooser = stage.page.waitForEvent('filechooser')
  await stage.page.locator('.dropzone .button').first().click()
  const mimeType = 'application/octet-stream'
  await (await chooser).setFiles(files.map((name, index) => ({ name, mimeType, buffer: Buffer.alloc(4000 * (index + 1)) })))
  await stage.page.locator('.sent').first().waitFor()
  await stage.page.getByRole('textbox').fill('Rosa, plot 31')
}

async function send(stage: Stage) {
  let answered = 0
  // The first has arrived, the others are not answered.
  await stage.page.route('**/api/public/tus/**', (route) => (answered++ === 0 ? route.fulfill({ status: 201 }) : undefined))
  await choose(stage)
  await stage.button('Send').click()
  await stage.page.locator('.sent-done').waitFor()
}

/** The first file has arrived, and the others wait. */
const wait = (status: number) => async (stage: Stage) => {
  let answered = 0
  await stage.page.route('**/api/public/tus/**', (route) =>
    route.fulfill(answered++ === 0 ? { status: 201 } : { status, headers: { 'Retry-After': '3600' } }),
  )
  await choose(stage)
  await stage.button('Send').click()
  await stage.page.locator('.sent-done').waitFor()
  await stage.page.locator('.sent-away').first().waitFor()
}

const sent = files.slice(0, 3).map((name, index) => ({ name, size: 4e6 * (index + 1), at: seconds, sha256: 'a7'.repeat(32) }))
const receipt = { number: 'H7-2K4M-KQ', at: seconds, title: link.title, name: 'Rosa, plot 31', files: sent }

const formSent: RequestForm = {
  ...{ hash, kind: 'shown', page: { ...open, name: 'Rosa, plot 31', sentCount: 3, receipts } },
  outcome: { receipt, refused: [{ name: 'tool.exe', refusal: { code: 'kindRefused', params: {} } }] },
}

async function finish(stage: Stage) {
  await stage.page.route('**/api/public/request/*/receipt', (route) => route.fulfill({ json: receipt }))
  await stage.page.route('**/api/public/tus/**', (route) => route.fulfill({ status: 201 }))
  await choose(stage)
  await stage.button('Send').click()
  await stage.page.locator('.request-number').waitFor()
}

export const requests: State[] = [
  ...statesOf('request', [
    ['new', everywhere, (stage) => openDialog(stage, [], '.request-pair')],
    ['refused', almostAll, fillForm],
    ['one', everywhere, (stage) => openDialog(stage, [link], '.request-senders')],
    ['close', almostAll, askToClose],
    ['closed', almostAll, (stage) => openDialog(stage, [{ ...link, closedAt: seconds - day }], '.request-senders')],
    ['ended', almostAll, (stage) => openDialog(stage, [{ ...link, expire: seconds - day }], '.request-senders')],
    ['several', almostAll, (stage) => openDialog(stage, [link, closed], '.links')],
    ['list', everywhere, openList],
  ]),
  ...statesOf('sender', [
    ['open', everywhere, visit(200, open)],
    ['known', almostAll, visit(200, { ...open, name: 'Rosa, plot 31', sentCount: 3, receipts, unfinished: [unfinished()] })],
    ['chosen', almostAll, choose],
    ['sending', everywhere, send],
    ['waiting', everywhere, wait(429)],
    ['busy', everywhere, wait(503)],
    ['receipt', everywhere, finish],
    ['closed', almostAll, visit(200, { kind: 'closed', closedAt: seconds - day, receipts })],
    ['locked', almostAll, visit(401, {})],
    ['gone', almostAll, visit(404, {})],
    ['form', everywhere, showForm({ hash, kind: 'shown', page: { ...open, endings: ['jpg', 'mp4'] } })],
    ['form-sent', everywhere, showForm(formSent)],
    ['form-locked', almostAll, showForm({ hash, kind: 'locked', isWrong: true })],
  ]).map((state) => ({ ...state, isSignedOut: true })),
]

function unfinished() {
  return { id: 'u', name: 'The whole summer.mov', length: 180e6, offset: 64e6 }
}
