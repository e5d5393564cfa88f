// Takes the pictures of docs/screens/: the packaged executable with a folder of made-up files, seen in a real browser.
// Run after `npm run package`: node_modules/.bin/node scripts/make-screens.ts [pattern of pictures' names]
// A new state is one line in a table of scripts/screens/.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext } from '@playwright/test'
import sharp from 'sharp'
import { launchBrowser } from '../test/support/browser.ts'
import { newPerson, showList, signIn } from '../test/support/person.ts'
import { startExecutable } from '../test/support/start-executable.ts'
import { doors } from './screens/doors.ts'
import { listing } from './screens/listing.ts'
import { type Look, looks } from './screens/looks.ts'
import { menus } from './screens/menus.ts'
import { pointer } from './screens/pointer.ts'
import { prompts } from './screens/prompts.ts'
import { plant } from './screens/sample.ts'
import { openWindow, type Place, Stage } from './screens/stage.ts'
import type { State } from './screens/state.ts'
import { transfers } from './screens/transfers.ts'

const target = resolve(import.meta.dirname, '../docs/screens')
const wanted = new RegExp(process.argv[2] ?? '')
const states: readonly State[] = [...doors, ...listing, ...menus, ...prompts, ...transfers, ...pointer]

const nameOf = (state: State, look: Look) => `${state.name}-${look.name}`

const fileOf = (name: string) => join(target, `${name}.png`)

/** Every state stands in the table of docs/screens/README.md, and no picture is there of a state that is no more. */
async function checkTable(): Promise<void> {
  const table = await readFile(join(target, 'README.md'), 'utf8')
  const missing = states.filter(({ name }) => !table.includes(`\`${name}\``))
  if (missing.length > 0) throw new Error(`docs/screens/README.md says nothing of ${missing.map(({ name }) => name).join(', ')}`)
  const wantedFiles = new Set(
    states.flatMap((state) => looks.filter(({ name }) => state.looks.includes(name)).map((look) => `${nameOf(state, look)}.png`)),
  )
  const stale = (await readdir(target)).filter((file) => file.endsWith('.png') && !wantedFiles.has(file))
  for (const file of stale) await rm(join(target, file))
}

async function shoot(context: BrowserContext, state: State, { look, place }: { look: Look; place: Place }): Promise<void> {
  const page = await context.newPage()
  const stage = new Stage(page, look, place)
  try {
    await state.show(stage)
    await page.evaluate(() => document.fonts.ready)
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    await sharp(picture)
      .png({ palette: true, effort: 10, dither: 0 })
      .toFile(fileOf(nameOf(state, look)))
    console.log(`docs/screens/${nameOf(state, look)}.png`)
  } catch (cause) {
    // The others are worth having all the same.
    process.exitCode = 1
    console.error(`${nameOf(state, look)} could not be shown:`, cause instanceof Error ? cause.message : cause)
  } finally {
    await stage.leave()
    await page.close()
  }
}

async function shootAll(browser: Browser, look: Look, places: { outside: Place; inside: Place }) {
  for (const state of states) {
    if (!state.looks.includes(look.name) || !wanted.test(nameOf(state, look))) continue
    const place = state.isOutside ? places.outside : places.inside
    // A window of its own: a session that one state ends is not over for the next.
    const context = await openWindow(browser, look, place)
    await shoot(context, state, { look, place })
    await context.close()
  }
}

/** Signs in once, and leaves the account with a list. */
async function sessionAt(browser: Browser, url: string): Promise<Place['session']> {
  const person = await newPerson(browser)
  await signIn(person.page, url)
  const kept = person.page.waitForResponse((response) => response.request().method() === 'PUT')
  await showList(person.page)
  await kept
  const session = await person.context.storageState()
  await person.close()
  return session
}

const server = await startExecutable()
// What was drawn before leaves no trace in what is drawn now.
const browser = await launchBrowser({ args: ['--disable-partial-raster'] })
try {
  await mkdir(target, { recursive: true })
  const desktop = join(server.folder, 'desktop')
  await plant(server.root, desktop)
  const outside = { url: server.url, desktop }
  const inside = { ...outside, session: await sessionAt(browser, server.url) }
  await checkTable()
  for (const look of looks) await shootAll(browser, look, { outside, inside })
} finally {
  await browser.close()
  await server.close()
}
