// All prompts of the listing.

import { failedJob } from './jobs.ts'
import { almostAll, everywhere, inForced } from './looks.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const one = 'Robin on the fork handle.png'
const many = ['Receipts', 'First frost on the leeks.jpg', one, 'What to sow when.md', 'irrigation-timer.py']

/** Selects entries and opens a prompt by a key. */
const byKey =
  (key: string, ...names: string[]) =>
  async (stage: Stage) => {
    await stage.folder()
    if (names.length > 0) await stage.select(...names)
    await stage.press(key)
    await stage.dialog()
  }

const byButton =
  (label: string, ...names: string[]) =>
  async (stage: Stage) => {
    await stage.folder()
    await stage.select(...names)
    await stage.toolbar(label)
    await stage.dialog()
    await stage.page.locator('.picker-item').first().waitFor()
  }

const make = (label: string) => async (stage: Stage) => {
  await stage.folder()
  if (stage.look.touch) await stage.button('Open sidebar').tap()
  await stage.page
    .getByRole('navigation', { name: stage.say('Sidebar') })
    .getByRole('button', { name: stage.say(label) })
    .click()
  await stage.dialog()
}

const makeTaken = (label: string, name: string) => async (stage: Stage) => {
  await make(label)(stage)
  await stage.page.getByRole('dialog').getByRole('textbox').fill(name)
  await stage.press('Enter')
  await stage.page.locator('.field-error').waitFor()
}

async function chooseFolder(stage: Stage) {
  await byButton('Move to…', one)(stage)
  await stage.press('ArrowDown', 'ArrowDown')
}

async function makeFolderThere(stage: Stage) {
  await byButton('Copy to…', one, 'What to sow when.md')(stage)
  await stage.page
    .getByRole('dialog')
    .getByRole('button', { name: stage.say('New folder here') })
    .click()
}

async function paste(stage: Stage) {
  await stage.folder('Seed trials copy')
  await stage.select('What to sow when.md')
  await stage.press('Control+c')
  await stage.page.locator('.crumb').first().click()
  await stage.entry('Allotment').focus()
  await stage.press('Enter')
  await stage.entry(one).waitFor()
  await stage.press('Control+v')
  await stage.dialog()
}

/** The checksums of a file: one known and equal, one known, one running, one not asked for. */
async function withSums(stage: Stage) {
  await byKey('Alt+Enter', 'irrigation-timer.py')(stage)
  const dialog = stage.page.getByRole('dialog')
  const [md5, , sha256, sha512] = await dialog.locator('.sum').all()
  for (const row of [sha256, md5]) await row?.getByRole('button').click()
  const sums = dialog.locator('.sum > .code')
  await sums.nth(1).waitFor()
  await dialog.getByRole('textbox').fill((await sums.first().textContent()) ?? '')
  await dialog.locator('.compare-same > span').waitFor()
  await stage.page.route('**/api/resources/**', () => undefined)
  await sha512?.getByRole('button').click()
  await dialog.getByRole('progressbar').waitFor()
}

/** A photograph, with what was asked for. */
async function photograph(stage: Stage) {
  await stage.folder('Family/Album')
  await stage.select('Field edge in March.jpg')
  await stage.press('Alt+Enter')
  await stage.dialog()
  for (const label of ['Show camera data', 'Show the place']) {
    await stage.button(label).click()
    await stage.button(label).waitFor({ state: 'detached' })
  }
  await stage.page.waitForFunction(() => !document.querySelector('.facts .progress-bar'))
}

/** The dimensions are known, the camera could not be read, and the place is being read. */
async function photographUnread(stage: Stage) {
  await stage.page.route('**/*camera=true*', (route) => route.fulfill({ status: 503, body: '503 Service Unavailable' }))
  await stage.page.route('**/*place=true*', () => undefined)
  await stage.folder('Family/Album')
  await stage.select('Field edge in March.jpg')
  await stage.press('Alt+Enter')
  await stage.dialog()
  await stage.button('Show camera data').click()
  await stage.page.locator('.facts .field-error').waitFor()
  await stage.button('Show the place').click()
  await stage.button('Cancel reading the place').waitFor()
}

/** The disk has no room for the trash: what cannot go there is asked about anew. */
async function deleteOnFullDisk(stage: Stage) {
  const problem = { title: 'full', status: 507, detail: 'full', refusal: { code: 'trashFull', params: {} } }
  await stage.page.route('**/api/resources/**?trash=true', (route) =>
    route.fulfill({ status: 507, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  )
  await byKey('Delete', one)(stage)
  await stage.button('Delete').click()
  await stage.button('Delete').waitFor({ state: 'detached' })
  await stage.button('Delete for good').waitFor()
  await stage.rest()
}

async function countedFolder(stage: Stage) {
  await byKey('Alt+Enter')(stage)
  await stage.button('Count the contents').click()
  await stage.page.locator('.facts > dt').nth(4).waitFor()
}

/** What an import from File Browser has brought. */
async function imported(stage: Stage) {
  const notice = {
    ...{ at: 1_795_900_000, users: 9, passwords: 8, rules: 10, links: 5, hasSettings: true, more: 0 },
    look: [
      'the passwords: how long they are cannot be seen: those of less than 12 characters stay until they are changed',
      'the server: served "/srv", and "/files" is served from now on',
    ],
    changed: ['user "letícia": the rule that denies "/private" blocks "/private2" too'],
    left: [
      'user "kiosk" and user "نور": opening by a single click',
      'link "Xy4-abcd": nothing is there',
      'the server: commands were on: they need --enable-exec here',
    ],
  }
  await stage.page.route('**/api/imports', (route) => route.fulfill({ json: { notices: [notice] } }))
  await stage.folder()
  await stage.dialog()
}

/** Selects entries and chooses a command from their menu. */
async function byMenu(stage: Stage, label: string, ...names: string[]) {
  await stage.folder()
  await stage.select(...names)
  if (stage.look.touch) await stage.toolbar('More')
  else await stage.entry(names[0] ?? '').click({ button: 'right' })
  await stage.page.getByRole('menuitem', { name: stage.say(label) }).click()
  await stage.dialog()
}

/** An archive whose names are not UTF-8. */
async function namesOfArchive(stage: Stage) {
  const params = {
    cp437: 'äÑ½«.txt\nÅÑ¡á',
    gbk: '尼腪.txt\n写磬',
    'windows-1251': 'Дело.txt\nСемена и рассада на будущий год',
    likely: 'windows-1251',
  }
  const name = 'photographs-2025.tar.gz'
  const refusal = { code: 'archiveNotUtf8', params } as const
  const failed = failedJob('extract', { path: `/Allotment/${name}`, code: 'unsupported', message: '', refusal })
  await stage.page.route('**/api/jobs', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ json: failed }) : route.continue(),
  )
  await byMenu(stage, 'Extract here', name)
}

async function upload(stage: Stage, ...names: string[]) {
  await stage.folder()
  const chooser = stage.page.waitForEvent('filechooser')
  await stage.page
    .getByRole('banner')
    .getByRole('button', { name: stage.say('Upload') })
    .click()
  await (await chooser).setFiles(names.map((name) => stage.desktopFile(name)))
  await stage.dialog()
}

export const prompts: State[] = statesOf('prompt', [
  ['info-file', everywhere, byKey('Alt+Enter', one)],
  ['info-many', almostAll, byKey('Alt+Enter', ...many)],
  ['info-folder', almostAll, byKey('Alt+Enter')],
  ['info-sums', everywhere, withSums],
  ['info-picture', everywhere, photograph],
  ['info-picture-unread', almostAll, photographUnread],
  ['info-counted', almostAll, countedFolder],
  ['help', everywhere, byKey('F1')],
  ['imported', everywhere, imported],
  ['download-many', inForced(everywhere), byKey('Control+s', ...many)],
  ['download-folder', almostAll, byKey('Control+s')],
  ['compress', everywhere, (stage) => byMenu(stage, 'Compress here…', ...many)],
  ['archive-names', everywhere, namesOfArchive],
  ['delete-one', everywhere, byKey('Delete', one)],
  ['delete-many', everywhere, byKey('Delete', ...many)],
  ['delete-full', everywhere, deleteOnFullDisk],
  ['move', inForced(everywhere), chooseFolder],
  ['copy', almostAll, makeFolderThere],
  ['new-folder', everywhere, make('New folder')],
  ['new-folder-taken', inForced(almostAll), makeTaken('New folder', 'Receipts')],
  ['new-file-taken', ['light', 'phone'], makeTaken('New file', 'What to sow when.md')],
  ['replace', everywhere, (stage) => upload(stage, 'What to sow when.md', 'irrigation-timer.py')],
  ['replace-rename', almostAll, paste],
  [
    'rename',
    ['phone', 'phone-dark', 'phone-rtl'],
    async (stage) => {
      await stage.folder()
      await stage.select(one)
      await stage.press('F2')
      await stage.dialog()
    },
  ],
])
