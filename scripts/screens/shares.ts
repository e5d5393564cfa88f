// Public links: the dialog about those of one entry, the page about all, and what visitors see.
import type { Share, SharedResource } from '../../src-server/contract/shares.ts'
import { almostAll, everywhere } from './looks.ts'
import { now } from './sample.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const day = 86_400
const seconds = now.getTime() / 1000

const base: Share = {
  ...{ hash: 'pX4vQ2mcT7aLrE0wYd8uKg', path: '/Allotment/Receipts', userID: 1, expire: 0, name: 'Receipts', isDir: true },
  ...{ username: 'admin', created: seconds - 16 * day, hasPassword: false, note: 'for the committee', downloads: 38 },
}

const links: readonly Share[] = [
  base,
  { ...base, hash: '9tLk0RzAq3NfUe5jHs1bXw', expire: seconds + 3 * 3600, hasPassword: true, note: '', downloads: 2 },
  { ...base, hash: 'Zq71mNc8Vd6oPy2iGt4xBA', expire: seconds + 11 * day, note: '', downloads: 0, mostDownloads: 5 },
]

const thing = (name: string, rest: Partial<Share>): Share => ({
  ...{ ...base, hash: `${name.replace(/\W/g, '')}AAAAAAAAAAAAAAAAAAAAAA`.slice(0, 22), name, path: `/Allotment/${name}` },
  ...{ isDir: false, note: '', ...rest },
})

const all: readonly Share[] = [
  ...links.slice(0, 2),
  thing('Tenancy agreement, plot 14.pdf', {
    expire: seconds + 2 * day,
    hasPassword: true,
    username: 'treasurer',
    userID: 2,
    downloads: 1,
  }),
  thing('Pears along the south wall before the winter pruning of the year.jpg', { expire: seconds + 11 * day, downloads: 212 }),
  thing('Frost dates 1990 to 2026.csv', { username: 'نور', userID: 3, downloads: 5, mostDownloads: 5 }),
  thing('Seed order, spring.ods', { inTrash: true, downloads: 4 }),
]

/** Answers a call of the page with JSON, so that hashes and dates are the same in every run. */
const answer = (stage: Stage, pattern: string, json: unknown) => stage.page.route(pattern, (route) => route.fulfill({ json }))

async function openDialog(stage: Stage, present: readonly Share[]) {
  await answer(stage, '**/api/share/**', present)
  await stage.folder()
  await stage.select('Receipts')
  await stage.toolbar('Share')
  await stage.page.locator('.link-form, .links').waitFor()
}

async function openList(stage: Stage) {
  await openDialog(stage, links)
  await stage.button('Show QR code').nth(1).click()
  await stage.page.locator('.qr').waitFor()
}

async function editLink(stage: Stage) {
  await openDialog(stage, links)
  await stage.button('Edit link').nth(1).click()
  await stage.page.locator('.link-form').waitFor()
}

async function editOnPage(stage: Stage) {
  await answer(stage, '**/api/shares', all)
  await stage.go('/settings/shares')
  await stage.page.locator('.shares-buttons .icon-button:nth-child(3)').nth(2).click()
  await stage.page.locator('.link-form').waitFor()
}

async function makeLink(stage: Stage) {
  await openDialog(stage, [])
  await stage.page.route('**/api/share/**', (route) => route.fulfill({ json: links[1] }))
  await stage.page.locator('.input-with > .input').fill('wren-lantern-48-moss')
  await stage.button('Create link').click()
  await stage.page.locator('.qr').waitFor()
}

async function openPage(stage: Stage) {
  await answer(stage, '**/api/shares', all)
  await stage.go('/settings/shares')
  for (const index of [2, 4]) await stage.page.locator('tbody .check').nth(index).check()
}

const item = (name: string, type: string, size: number, rest: Partial<SharedResource> = {}) => ({
  ...{ name, type, size, path: `/${name}`, isDir: false, modified: now.toISOString(), ...rest },
})

const drawings = {
  ...item('Drawings', '', 0, { isDir: true, path: '/' }),
  ...{ hash: base.hash, expire: 0, hasPassword: false },
  items: [
    item('Details', '', 0, { isDir: true }),
    item('Plan, ground floor.pdf', 'pdf', 1_100_000),
    item('Section A, through the stair and the wheel pit.png', 'image', 2_400_000),
    item('North elevation.jpg', 'image', 900_000),
    item('model-issue-C.ifc', 'other', 31_000_000),
  ],
}

const statement = {
  ...item('Planning statement, issue C.pdf', 'pdf', 1_600_000, { path: '/' }),
  ...{ hash: base.hash, expire: seconds + 3 * day, hasPassword: false },
}

/** The page of a link, with the same address in every run. The previews are not there. */
const visit = (status: number, json: unknown) => async (stage: Stage) => {
  await stage.page.route('**/api/public/share/**', (route) => route.fulfill({ status, json }))
  await stage.page.route('**/api/public/preview/**', (route) => route.fulfill({ status: 404, body: '404 Not Found' }))
  await stage.go(`/share/${base.hash}`)
  await stage.page.locator('h1').waitFor()
}

export const shares: State[] = [
  ...statesOf('share', [
    ['new', everywhere, (stage) => openDialog(stage, [])],
    ['list', everywhere, openList],
    ['edit', almostAll, editLink],
    ['edit-page', almostAll, editOnPage],
    ['ready', almostAll, makeLink],
    ['page', everywhere, openPage],
  ]),
  ...statesOf('visitor', [
    ['folder', everywhere, visit(200, drawings)],
    ['file', almostAll, visit(200, statement)],
    ['locked', almostAll, visit(401, {})],
    ['gone', almostAll, visit(404, {})],
  ]).map((state) => ({ ...state, isSignedOut: true })),
]
