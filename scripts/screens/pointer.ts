// States while dragging: entries, the rubber band, and files from the desktop.
import { dragOver, middleOf } from '../../test/support/listing.ts'
import { inForced, onDesk } from './looks.ts'
import { uploads } from './sample.ts'
import type { Stage } from './stage.ts'
import { type State, statesOf } from './state.ts'

const one = 'Robin on the fork handle.png'

const dragOnto =
  (target: string, ...names: string[]) =>
  async (stage: Stage) => {
    await stage.folder()
    await stage.select(...names)
    await dragOver(stage.page, stage.entry(names[0] ?? ''), stage.entry(target))
    await stage.page.locator('.drag-badge').waitFor()
  }

async function drawBand(stage: Stage) {
  await stage.folder()
  const rows = [stage.entry('First frost on the leeks.jpg'), stage.entry(one)]
  const [first, last] = await Promise.all(rows.map((row) => row.boundingBox()))
  const pane = await stage.page.locator('.pane').boundingBox()
  if (!first || !last || !pane) throw new Error('the list is not visible')
  const from = stage.look.mirrored ? pane.x + pane.width - 6 : pane.x + 6
  await stage.page.mouse.move(from, last.y + last.height / 2)
  await stage.page.mouse.down()
  await stage.page.mouse.move(stage.look.mirrored ? from - 260 : from + 260, first.y + 8, { steps: 5 })
}

async function fromDesktop(stage: Stage, at: { x: number; y: number }, count: number) {
  const client = await stage.page.context().newCDPSession(stage.page)
  const files = uploads.slice(0, count).map(([name]) => stage.desktopFile(name))
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const) await client.send('Input.dispatchDragEvent', { type, ...at, data })
}

async function overPane(stage: Stage) {
  await stage.folder('Choir')
  await fromDesktop(stage, { x: 640, y: 500 }, 3)
  await stage.page.locator('.drop').waitFor()
}

async function overRow(stage: Stage) {
  await stage.folder()
  await fromDesktop(stage, await middleOf(stage.entry('Receipts')), 3)
  await stage.page.locator('[data-drop="target"]').waitFor()
}

export const pointer: State[] = [
  ...statesOf('drag', [
    ['onto-folder', inForced(onDesk), dragOnto('Seed trials', one, 'What to sow when.md', 'irrigation-timer.py')],
    ['refused', inForced(onDesk), dragOnto('Receipts', 'Water butts', 'Receipts')],
    ['band', onDesk, drawBand],
  ]),
  ...statesOf('drop', [
    ['pane', inForced(onDesk), overPane],
    ['folder-row', onDesk, overRow],
  ]),
]
