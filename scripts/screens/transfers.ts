// Uploads: the panel, what fails, what asks, the sign-in in place, and toasts.
import type { UnfinishedUpload } from '../../src-server/contract/uploads.ts'
import { almostAll, everywhere, inForced } from './looks.ts'
import { now, uploads } from './sample.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

/** How far an upload has come: a part of it was sent, or it was answered. */
type Outcome = { part: number } | { status: number }

/** Replaces the network: each upload stays as the table says, so that pictures are the same in every run. */
async function fixOutcomes(stage: Stage, outcomes: Readonly<Record<string, Outcome>>) {
  await stage.page.addInitScript((outcomes) => {
    const { open } = XMLHttpRequest.prototype
    const names = new WeakMap<XMLHttpRequest, string>()
    XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, address: string | URL) {
      names.set(
        this,
        decodeURIComponent(new URL(String(address), location.href).pathname)
          .split('/')
          .at(-1) ?? '',
      )
      return open.call(this, method, String(address), true)
    }
    XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, body?: unknown) {
      const outcome = outcomes[names.get(this) ?? ''] ?? { part: 0 }
      const total = body instanceof Blob ? body.size : 0
      const tell = (loaded: number) =>
        this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total }))
      if ('part' in outcome) return void setTimeout(() => tell(Math.round(outcome.part * total)))
      Object.defineProperty(this, 'status', { value: outcome.status })
      setTimeout(() => this.dispatchEvent(new Event('load')))
    }
  }, outcomes)
}

async function send(stage: Stage, outcomes: Readonly<Record<string, Outcome>>) {
  await fixOutcomes(stage, outcomes)
  await stage.folder('Choir')
  const chooser = stage.page.waitForEvent('filechooser')
  await stage.page
    .getByRole('banner')
    .getByRole('button', { name: stage.say('Upload') })
    .click()
  await (await chooser).setFiles(uploads.slice(0, 7).map(([name]) => stage.desktopFile(name)))
  // The panel closes when all uploads have succeeded, which may be at once.
  await stage.page.locator('.transfer, .toast').first().waitFor()
  await stage.rest()
}

const under: Readonly<Record<string, Outcome>> = {
  'Bean rows from the shed roof.jpg': { status: 200 },
  'Hedge, before and after.mp4': { part: 0.37 },
  'Minutes of the November meeting.docx': { part: 0.62 },
  'soil-samples.csv': { part: 0.25 },
  'Frost dates 1990 to 2026.xlsx': { part: 0.8 },
  'Compost temperatures.csv': { part: 1 },
}
const all = (outcome: Outcome) => Object.fromEntries(uploads.map(([name]) => [name, outcome]))
const some: Readonly<Record<string, Outcome>> = {
  ...all({ status: 200 }),
  'Hedge, before and after.mp4': { status: 507 },
  'soil-samples.csv': { status: 413 },
}

async function runUntil(stage: Stage, outcomes: Readonly<Record<string, Outcome>>, shown: string) {
  await send(stage, outcomes)
  await stage.page.locator(shown).first().waitFor()
}

async function failSome(stage: Stage) {
  await runUntil(stage, some, '.toast-error')
  await stage.page.locator('.transfers-foot').waitFor()
}

/** Some have failed while one is sent, so that there are buttons for both. */
async function failWhileSending(stage: Stage) {
  await send(stage, { ...some, 'Winter pruning.pdf': { part: 0.45 } })
  await stage.page.locator('.transfer-done').nth(3).waitFor()
  await stage.page.locator('.transfers-foot .button').nth(1).waitFor()
}

async function collapse(stage: Stage) {
  await runUntil(stage, under, '.transfer-done')
  await stage.button('Collapse').click()
  await stage.rest()
}

async function loseSession(stage: Stage) {
  await send(stage, { ...under, 'Compost temperatures.csv': { status: 401 } })
  await stage.dialog()
}

async function failToDelete(stage: Stage) {
  await stage.folder()
  await stage.answer('resources/Allotment/What*', 403, '403 Forbidden')
  await stage.select('What to sow when.md')
  await stage.press('Delete')
  await stage.dialog()
  await stage.page.locator('.dialog-foot .button-danger').click()
  await stage.page.locator('.toast-error').waitFor()
  await stage.rest()
}

async function copyOne(stage: Stage) {
  await stage.folder()
  await stage.answer('resources/Allotment/What*', 200, '200 OK')
  await stage.select('What to sow when.md')
  await stage.toolbar('Copy to…')
  await stage.page.locator('.picker-item').first().waitFor()
  await stage.press('ArrowDown', 'Enter')
  await stage.page.locator('.toast').waitFor()
}

/** As the history of the server lists it. */
export const movedAct = {
  ...{ id: 'moved', kind: 'move', at: Date.parse('2026-11-18T10:00:00Z'), count: 1, names: ['What to sow when.md'] },
  ...{ folder: '/Allotment/Beds and paths', state: 'done', mayUndo: true, mayRedo: false },
}

async function moveOne(stage: Stage) {
  await stage.folder()
  let key = ''
  await stage.page.route('**/api/resources/Allotment/What*', (route) => {
    key = route.request().headers()['holdall-act'] ?? ''
    return route.fulfill({ status: 200, body: '200 OK' })
  })
  await stage.page.route('**/api/history', (route) => route.fulfill({ json: { acts: [{ ...movedAct, key }] } }))
  await stage.select('What to sow when.md')
  await stage.toolbar('Move to…')
  await stage.page.locator('.picker-item').first().waitFor()
  await stage.press('ArrowDown', 'Enter')
  await stage.page.locator('.toast .button').waitFor()
  await stage.rest()
}

async function deleteSlowly(stage: Stage) {
  await stage.folder()
  await stage.keepWaiting('jobs')
  await stage.select('Robin on the fork handle.png', 'What to sow when.md')
  await stage.press('Delete')
  await stage.dialog()
  await stage.page.locator('.dialog-foot .button-danger').click()
  await stage.page.locator('.toast-work').waitFor()
  await stage.rest()
}

const megabyte = 1_000_000

/** @param id also how many hours ago it was begun */
function unfinished(id: number, given: Partial<UnfinishedUpload> & Pick<UnfinishedUpload, 'path'>): UnfinishedUpload {
  const [startedAt, changedAt, expires] = [now.getTime() - id * 3_600_000, now.getTime(), now.getTime() + 6 * 86_400_000]
  const times = { startedAt, changedAt, expires }
  const bytes = { length: 96 * megabyte, offset: 35 * megabyte }
  return { id: `screen-${id}`, ...times, ...bytes, isReceiving: false, isGone: false, isCompared: true, ...given }
}

const whole = { length: 7 * megabyte, offset: 7 * megabyte }
const brokenOff: readonly UnfinishedUpload[] = [
  unfinished(1, { path: '/Choir/Hedge, before and after.mp4' }),
  unfinished(2, { path: '/Choir/Winter pruning.pdf', ...whole, refused: { code: 'conflict', message: 'conflict' } }),
  unfinished(3, { path: '/Allotment/Receipts/soil-samples.csv', ...whole, refused: { code: 'forbidden', message: 'forbidden' } }),
  unfinished(4, { path: '/Family/Frost dates 1990 to 2026.xlsx', ...whole }),
  unfinished(5, { path: '/Bean rows from the shed roof.jpg', isGone: true }),
]

async function comeBack(stage: Stage) {
  await stage.page.route('**/api/uploads', (route) => route.fulfill({ json: { uploads: brokenOff } }))
  await stage.folder()
  await stage.page.locator('.transfers').waitFor()
}

/** On a phone the list is opened first. */
async function seeUnfinished(stage: Stage) {
  await comeBack(stage)
  if (stage.look.width < 736) await stage.button('Expand').click()
  await stage.page
    .locator('.transfers-unfinished .transfer')
    .nth(brokenOff.length - 1)
    .waitFor()
  await stage.rest()
}

export const transfers: State[] = [
  ...statesOf('transfers', [
    ['running', everywhere, (stage) => runUntil(stage, under, '.transfer-done')],
    ['collapsed', almostAll, collapse],
    ['finished', almostAll, (stage) => runUntil(stage, all({ status: 200 }), '.toast')],
    ['failed', inForced(everywhere), failSome],
    ['unfinished', inForced(everywhere), seeUnfinished],
    ['unfinished-collapsed', ['phone'], comeBack],
    ['failing', ['light', 'phone', 'phone-rtl'], failWhileSending],
  ]),
  ...statesOf('prompt', [['sign-in-uploads', everywhere, loseSession]]),
  ...statesOf('toast', [
    ['success', almostAll, copyOne],
    ['error', almostAll, failToDelete],
    ['undo', almostAll, moveOne],
    ['work', almostAll, deleteSlowly],
  ]),
]
