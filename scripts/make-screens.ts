// Takes screenshots of the packaged executable with sample files in a real browser. After `npm run package`:
//   node_modules/.bin/node scripts/make-screens.ts [pattern]          those of scripts/screens/documented.ts, in docs/screens
//   node_modules/.bin/node scripts/make-screens.ts --all [pattern]    all states in all looks, in out/screens
// The pattern is a regular expression for the names of screenshots. A new state is one row in a table of scripts/screens/.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext } from '@playwright/test'
import sharp from 'sharp'
import { launchBrowser } from '../test/support/browser.ts'
import { startExecutable } from '../test/support/start-executable.ts'
import { documented } from './screens/documented.ts'
import { type Look, looks } from './screens/looks.ts'
import { writeSample } from './screens/sample.ts'
import { sessionAt } from './screens/session.ts'
import { openWindow, Stage, type Target } from './screens/stage.ts'
import type { State } from './screens/state.ts'
import { states } from './screens/states.ts'

const { values: flags, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true })
const pattern = new RegExp(positionals[0] ?? '')
const documents = resolve(import.meta.dirname, '../docs/screens')
const output = flags.all ? resolve(import.meta.dirname, '../out/screens') : documents

const nameOf = (state: State, look: Look) => `${state.name}-${look.name}`

const fileOf = (name: string) => join(output, `${name}.png`)

const isWanted = (name: string) => pattern.test(name) && (flags.all || documented.includes(name))

/** @throws when docs/screens/README.md lacks a state, or a documented screenshot does not exist */
async function checkNames(): Promise<void> {
  const table = await readFile(join(documents, 'README.md'), 'utf8')
  const missing = states.filter(({ name }) => !table.includes(`\`${name}\``))
  if (missing.length > 0) throw new Error(`docs/screens/README.md does not name ${missing.map(({ name }) => name).join(', ')}`)
  const known = new Set(
    states.flatMap((state) => looks.filter(({ name }) => state.looks.includes(name)).map((look) => nameOf(state, look))),
  )
  const unknown = documented.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`There are no such pictures: ${unknown.join(', ')}`)
}

async function removeStale(): Promise<void> {
  const files = (await readdir(documents)).filter((file) => file.endsWith('.png'))
  for (const file of files) if (!documented.includes(file.slice(0, -'.png'.length))) await rm(join(documents, file))
}

async function shoot(context: BrowserContext, state: State, { look, target }: { look: Look; target: Target }): Promise<void> {
  const page = await context.newPage()
  const stage = new Stage(page, look, target)
  try {
    await state.show(stage)
    await page.evaluate(() => document.fonts.ready)
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    await sharp(picture)
      .png({ palette: true, effort: 10, dither: 0 })
      .toFile(fileOf(nameOf(state, look)))
    console.log(relative(process.cwd(), fileOf(nameOf(state, look))))
  } catch (cause) {
    // The other screenshots are still taken.
    process.exitCode = 1
    console.error(`${nameOf(state, look)} could not be shown:`, cause instanceof Error ? cause.message : cause)
  } finally {
    await stage.leave()
    await page.close()
  }
}

async function shootAll(browser: Browser, look: Look, targets: { signedOut: Target; signedIn: Target }) {
  for (const state of states) {
    if (!state.looks.includes(look.name) || !isWanted(nameOf(state, look))) continue
    const target = state.isSignedOut ? targets.signedOut : targets.signedIn
    // A separate context, because a state may end its session.
    const context = await openWindow(browser, look, target)
    await shoot(context, state, { look, target })
    await context.close()
  }
}

await checkNames()
await removeStale()
const server = await startExecutable()
// Reused rasters would make a screenshot depend on the ones before.
const browser = await launchBrowser({ font: 'system', args: ['--disable-partial-raster'] })
try {
  await mkdir(output, { recursive: true })
  const desktop = join(server.folder, 'desktop')
  await writeSample(server.root, desktop)
  const signedOut = { url: server.url, desktop }
  const signedIn = { ...signedOut, session: await sessionAt(browser, server.url) }
  for (const look of looks) await shootAll(browser, look, { signedOut, signedIn })
} finally {
  await browser.close()
  await server.close()
}
