// All screens, prompts, menus and states, with the steps to reach them.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import { answerJobs, over, underWay } from '../../../scripts/screens/jobs.ts'
import { movedAct } from '../../../scripts/screens/transfers.ts'
import { configurePage } from '../../support/configure-page.ts'
import { dragFromDesktop } from '../../support/desktop.ts'
import { endSession, openBehindPrompt } from '../../support/end-session.ts'
import { entry, middleOf, pick } from '../../support/listing.ts'
import { pdf, picture, writeMedia } from '../../support/media.ts'
import { administratorPassword } from '../../support/start-executable.ts'
import { webm } from '../../support/webm.ts'
import { prompts } from './prompts.ts'
import { settings } from './settings.ts'
import { shares, visits } from './shares.ts'
import { shell } from './shell.ts'
import { banner, chooseFiles, dialog, hold, menu, type State, type Target, tool } from './steps.ts'
import { texts } from './texts.ts'
import { showTileMenu } from './tile-menu.ts'

export { abortHeld, type State } from './steps.ts'

async function searched({ page }: Target, text: string, shows: string) {
  await page.keyboard.press('Control+f')
  await page.getByRole('combobox', { name: 'Search' }).fill(text)
  await page.getByRole('dialog', { name: 'Search' }).getByText(shows).first().waitFor()
}

export const states: Record<string, State> = {
  ...prompts,
  ...texts,
  ...settings,
  ...shares,
  ...shell,
  'search, empty': (target) => searched(target, '', 'in any order'),
  'search, found': async (target) => {
    await searched(target, 'roof', 'Drawings')
    await target.page.keyboard.press('ArrowDown')
    await target.page.locator('.result-link[aria-selected="true"]').waitFor()
  },
  'search, nothing': (target) => searched(target, 'no such name', 'Nothing found'),
  'search, refused': (target) => searched(target, 'changed:soon', 'takes an age'),
  'search, failed': async (target) => {
    await target.page.route('**/api/search/**', (route) => route.fulfill({ status: 503, body: '503' }))
    await searched(target, 'roof', 'The search failed')
  },
  'search, more': async (target) => {
    const body = '{"name":"roof.txt","path":"Drawings/roof.txt","size":1,"modified":"2026-01-01T00:00:00Z","dir":false}\n'
    await target.page.route('**/api/search/**', (route) =>
      route.fulfill({ contentType: 'application/x-ndjson', body: `${body}{"more":"time"}\n` }),
    )
    await searched(target, 'roof', 'stopped after 30 seconds')
    await target.page.getByRole('option').first().waitFor()
  },
  'search, menu': async (target) => {
    await searched(target, 'roof', 'Drawings')
    await target.page.keyboard.press('ArrowDown')
    await target.page.keyboard.press('Shift+F10')
    await menu(target.page)
  },
  list: ({ page }) => entry(page, 'b.txt').waitFor(),
  mosaic: async ({ page }) => {
    await page.getByRole('button', { name: 'Tiles', exact: true }).click()
    await page.locator('.mosaic').waitFor()
    await entry(page, 'b.txt').click()
  },
  'mosaic with thumbnails, and its menu': ({ page }) => showTileMenu(page),
  'one selected': ({ page }) => pick(page, 'b.txt'),
  'several selected': ({ page }) => pick(page, 'a.txt', 'b.txt', 'Drawings'),
  'select several': async ({ page }) => {
    await banner(page, 'More').click()
    await page.getByRole('menuitem', { name: 'Select several' }).click()
    await tool(page, 'Clear selection').waitFor()
  },
  'something cut': async ({ page }) => {
    await pick(page, 'b.txt')
    await page.keyboard.press('Control+x')
    await page.locator('.is-cut').waitFor()
  },
  'a tile cut': async ({ page }) => {
    await page.getByRole('button', { name: 'Tiles', exact: true }).click()
    await page.locator('.mosaic').waitFor()
    await entry(page, 'b.txt').click()
    await page.keyboard.press('Control+x')
    await page.locator('.tile.is-cut').waitFor()
  },
  'an empty folder': async ({ page, url }) => {
    await page.goto(`${url}/files/Empty/`)
    await page.getByText('This folder is empty').waitFor()
  },
  'one file': async ({ page, url }) => {
    await page.goto(`${url}/files/b.txt`)
    await page.getByRole('heading', { name: 'b.txt' }).waitFor()
  },
  'a picture': async ({ page, url, root }) => {
    await writeMedia(root, { 'Pictures/1.png': await picture(), 'Pictures/2.png': await picture() })
    await page.goto(`${url}/files/Pictures/1.png`)
    await page.locator('.picture-stage[aria-busy="false"]').waitFor()
  },
  'a video': async ({ page, url, root }) => {
    await writeMedia(root, { 'Pictures/film.webm': await webm(20), 'Pictures/film.srt': '' })
    await page.goto(`${url}/files/Pictures/film.webm`)
    await page.getByRole('button', { name: 'Subtitles' }).waitFor()
  },
  'a PDF document': async ({ page, url, root }) => {
    await writeMedia(root, { 'Pictures/plan.pdf': pdf('A line') })
    await page.goto(`${url}/files/Pictures/plan.pdf`)
    await page.locator('.paper canvas').waitFor()
  },
  'the menu of a file': async ({ page, url }) => {
    await page.goto(`${url}/files/b.txt`)
    await page.locator('.pathbar-tools').getByRole('button', { name: 'More' }).click()
    await menu(page)
  },
  'a quick look': async ({ page }) => {
    await pick(page, 'b.txt')
    await page.keyboard.press('Space')
    await page.locator('.quick .viewer-card').waitFor()
  },
  'a long path': async ({ page, url }) => {
    await page.goto(`${url}/files/Deep/1/2/3/4/`)
    await entry(page, '5').waitFor()
  },
  loading: async ({ page }) => {
    await page.route('**/api/resources/Drawings?content=false', hold)
    await entry(page, 'Drawings').dblclick()
    await page.locator('.skeletons').waitFor()
  },
  missing: ({ page, url }) => failed(page, `${url}/files/nowhere/`, "This location can't be reached."),
  forbidden: async ({ page, url }) => {
    await page.route('**/api/resources/Drawings?content=false', (route) => route.fulfill({ status: 403, body: '403' }))
    await failed(page, `${url}/files/Drawings/`, "You don't have permissions")
  },
  failed: async ({ page, url }) => {
    await page.route('**/api/resources/Drawings?content=false', (route) => route.fulfill({ status: 500, body: '500' }))
    await failed(page, `${url}/files/Drawings/`, 'Something really went wrong.')
  },
  'page 403': ({ page, url }) => failed(page, `${url}/403`, "You don't have permissions"),
  'page 404': ({ page, url }) => failed(page, `${url}/404`, "This location can't be reached."),
  'page 500': ({ page, url }) => failed(page, `${url}/500`, 'Something really went wrong.'),
  'the menu More': async ({ page }) => {
    await pick(page, 'a.txt', 'b.txt')
    await banner(page, 'More').click()
    await menu(page)
  },
  'the menu New': async ({ page }) => {
    await banner(page, 'New').click()
    await menu(page)
  },
  'the menu Sort': async ({ page }) => {
    await page.getByRole('button', { name: 'Tiles', exact: true }).click()
    await page.locator('.sort-button').click()
    await menu(page)
  },
  'the menu of an entry': async ({ page }) => {
    await entry(page, 'b.txt').click({ button: 'right' })
    await menu(page)
  },
  'the menu of several': async ({ page }) => {
    await pick(page, 'a.txt', 'b.txt')
    await page.keyboard.press('Shift+F10')
    await menu(page)
  },
  'the menu of the folder': async ({ page }) => {
    const { x, y } = await middleOf(page.locator('.pane'))
    await page.mouse.click(x, y + 200, { button: 'right' })
    await menu(page)
  },
  palette: ({ page }) => page.keyboard.press('Control+k').then(() => page.getByRole('option').first().waitFor()),
  'palette with nothing': async ({ page }) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('qqqq')
    await page.getByText('No matches').first().waitFor()
  },
  'a move that can be undone': async ({ page }) => {
    let key = ''
    await page.route('**/api/resources/b.txt*', (route) => {
      key = route.request().headers()['holdall-act'] ?? ''
      return route.fulfill({ status: 200, body: '200 OK' })
    })
    await page.route('**/api/history', (route) => route.fulfill({ json: { acts: [{ ...movedAct, key }] } }))
    await pick(page, 'b.txt')
    await tool(page, 'Move to…').click()
    await page.getByRole('option', { name: 'Empty' }).click()
    await page.getByRole('button', { name: 'Move here' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  },
  'the last acts': async ({ page }) => {
    const gone = { ...movedAct, id: 'gone', kind: 'delete', mayUndo: false, why: 'purged' }
    const undone = { ...movedAct, id: 'undone', kind: 'upload', count: 12, state: 'undone', mayUndo: false, mayRedo: true }
    await page.route('**/api/history', (route) => route.fulfill({ json: { acts: [movedAct, gone, undone] } }))
    await banner(page, 'More').click()
    await page.getByRole('menuitem', { name: 'Last actions' }).click()
    await page.getByRole('button', { name: 'Undo move of' }).waitFor()
  },
  'work that lasts': async ({ page }) => {
    await page.route('**/api/resources/a.txt*', hold)
    await pick(page, 'a.txt')
    await tool(page, 'Move to…').click()
    await page.getByRole('option', { name: 'Empty' }).click()
    await page.getByRole('button', { name: 'Move here' }).click()
    await page.locator('.toast-work').waitFor()
  },
  'jobs of the server': async ({ page }) => {
    await answerJobs(page, [...underWay, ...over])
    await page.reload()
    await page.locator('.transfer-ask').waitFor()
    await page.locator('.transfer-failures li').first().waitFor()
  },
  'the path as a field': async ({ page }) => {
    await page.keyboard.press('Control+l')
    await page.getByRole('textbox', { name: 'Path' }).waitFor()
  },
  'replace and rename': async ({ page }) => {
    await pick(page, 'a.txt', 'b.txt')
    await page.keyboard.press('Control+c')
    await entry(page, 'Drawings').dblclick()
    await entry(page, 'roof.txt').waitFor()
    await page.keyboard.press('Control+v')
    await dialog(page, /already exists?$/)
  },
  replace: async (target) => {
    await chooseFiles(target, 'a.txt', 'b.txt')
    await dialog(target.page, /already exists?$/)
  },
  'uploads in every state, and an error': async (target) => {
    const { page } = target
    await page.route('**/api/resources/held*', hold)
    await page.route('**/api/resources/full.txt?*', (route) => route.fulfill({ status: 507, body: '507' }))
    const heldFiles = Array.from({ length: 6 }, (_, index) => `held ${index}.txt`)
    await chooseFiles(target, 'full.txt', 'a.txt', 'fine.txt', ...heldFiles)
    await dialog(page, /already exists?$/)
    await page.getByRole('button', { name: 'Skip' }).click()
    for (const phase of ['failed', 'skipped', 'sending', 'waiting']) await page.locator(`.transfer-${phase}`).first().waitFor()
    await page.getByRole('region', { name: 'Transfers' }).waitFor()
  },
  'uploads, collapsed': async (target) => {
    await chooseFiles(target, 'fine too.txt', 'b.txt')
    await target.page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click()
    await target.page.getByRole('heading', { name: /^Uploads finished/ }).waitFor()
    await target.page.getByRole('button', { name: 'Expand' }).waitFor()
  },
  'files over the pane': async ({ page, folder }) => {
    await writeFile(join(folder, 'one.txt'), 'one')
    const { x, y } = await middleOf(page.locator('.pane'))
    await dragFromDesktop(page, { x, y: y + 200 }, [join(folder, 'one.txt')])
    await page.getByText(/^Drop to upload/).waitFor()
  },
  'the sidebar put away': async ({ page }) => {
    await page.getByRole('button', { name: 'Hide sidebar' }).click()
    await page.getByRole('button', { name: 'Open sidebar' }).waitFor()
  },
  'the drawer': async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open sidebar' }).click()
    await page.getByRole('navigation', { name: 'Sidebar' }).waitFor()
  },
  'the list on a phone': ({ page }) => page.setViewportSize({ width: 390, height: 844 }),
  'the password asked in place': async (target) => {
    const { page } = target
    await page.route('**/api/resources/held*', hold)
    await chooseFiles(target, 'held.txt')
    await page.locator('.transfer-sending').waitFor()
    await endSession(page)
    await openBehindPrompt(page, 'Drawings')
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText(/Wrong credentials/).waitFor()
  },
}

/** States without a sign-in. */
export const signedOutStates: Record<string, State> = {
  ...visits,
  login: ({ page }) => page.getByLabel('Username').waitFor(),
  'wrong login': async ({ page }) => {
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill(`not ${administratorPassword}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/Wrong credentials/).waitFor()
  },
  'sign-up, with different passwords': async ({ page, url }) => {
    const allowed = async (route: Route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('"Signup":false', '"Signup":true') })
    }
    await page.route('**/login', allowed, { times: 1 })
    await page.goto(`${url}/login`)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByLabel('Password', { exact: true }).fill('one')
    await page.getByLabel('Confirm password').fill('another')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('Passwords don\u0027t match').waitFor()
  },
  'a sign-in and a sign-up with a captcha': async ({ page, url }) => {
    const host = new URL(url).origin
    await configurePage(page, { Signup: true, ReCaptcha: true, ReCaptchaKey: 'key', ReCaptchaHost: host })
    const script = `window.grecaptcha = { ready: (work) => work(), render: (place) => {
      place.append(Object.assign(document.createElement('button'), { type: 'button', textContent: 'I am a person' })) } }`
    await page.route('**/recaptcha/**', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
    await page.goto(`${url}/login`)
    await page.getByRole('button', { name: 'I am a person' }).waitFor()
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    await page.getByRole('button', { name: 'I am a person' }).waitFor()
    // The next state has the configuration of the server.
    await page.unrouteAll()
  },
  'page 404, signed out': ({ page, url }) => failed(page, `${url}/404`, "This location can't be reached."),
}

async function failed(page: Page, address: string, sentence: string) {
  await page.goto(address)
  await page.getByRole('heading', { name: sentence }).waitFor()
}
