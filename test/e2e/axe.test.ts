// Checks screens, prompts, menus and states with axe; in the dark theme, which changes only colours, their contrast. `npm test` checks
// one of each kind, `npm run test:long` all of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { entry } from '../support/listing.ts'
import { showList, signIn } from '../support/person.ts'
import { isLong } from '../support/scale.ts'
import { allowCommands } from '../support/shell-panel.ts'
import { startSite } from '../support/site.ts'
import { abortHeld, type State, signedOutStates, states } from './axe/states.ts'

const site = startSite({
  flags: ['--enable-exec', '--exec-unconfined'],
  prepare: ({ url }) => allowCommands(url, ['sh']),
  files: {
    ...{ 'a.txt': 'a', 'b.txt': 'bb', 'picture.png': '', 'audio.mp3': '', 'video.mp4': '', 'paper.pdf': '', 'box.zip': '' },
    ...{ 'Drawings/a.txt': 'theirs', 'Drawings/b.txt': 'theirs', 'Drawings/roof.txt': '', 'Empty/': '', 'Deep/1/2/3/4/5/': '' },
  },
})

/** The states that `npm test` checks: of each kind of surface one. Each takes a second and a half. */
const oneOfEach = [
  ...['login', 'link of a folder', 'list', 'several selected', 'one file', 'replace', 'palette', 'the menu of an entry'],
  ...['uploads in every state, and an error', 'a text that is edited, with a search in it', 'users', 'the activity'],
]

test('no axe violation on screens, prompts, menus and states, and enough contrast in the dark theme', {
  timeout: 1_800_000,
}, async (t) => {
  const { page, context } = await site.newPerson()
  const all = Object.keys({ ...signedOutStates, ...states })
  assert.deepEqual(
    oneOfEach.filter((name) => !all.includes(name)),
    [],
    'names of states',
  )
  const wanted = (of: Record<string, State>) => Object.entries(of).filter(([name]) => isLong || oneOfEach.includes(name))
  const found: string[] = []
  const check = async (name: string, state: State) => {
    const isThere = await state({ page, url: site.url, folder: site.folder, root: site.root }).then(
      () => true,
      (cause) => void found.push(`${name}: could not be shown: ${cause}`),
    )
    if (!isThere) return
    const shown = await part(page)
    found.push(...(await violations(page, shown)).map((problem) => `${name}: ${problem}`))
    await page.emulateMedia({ colorScheme: 'dark' })
    const contrast = await violations(page, { ...shown, rules: ['color-contrast'] })
    found.push(...contrast.map((problem) => `${name}, dark: ${problem}`))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  for (const [name, state] of wanted(signedOutStates)) {
    await page.goto(`${site.url}/login`)
    await check(name, state)
  }
  await signIn(page, site.url)
  for (const [name, state] of wanted(states)) {
    await begin(page)
    await check(name, state)
  }
  t.diagnostic(`${wanted({ ...signedOutStates, ...states }).length} of ${all.length} states`)
  assert.deepEqual(found, [])
  await context.close()
})

/** Resets the page: the root as a list in a wide window. */
async function begin(page: Page): Promise<void> {
  await abortHeld()
  await page.unrouteAll()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('about:blank')
  await page.goto(`${site.url}/files/`)
  await entry(page, 'b.txt').or(page.getByLabel('Username')).first().waitFor()
  if (await page.getByLabel('Username').count()) await signIn(page, site.url)
  await showList(page)
  await page.locator('.row[data-entry]').first().waitFor()
}

/** A dialog or a menu that covers the page: what lies under it is checked without it. */
const overlay = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** What `violations` is to look at: the overlays, where there are some. */
async function part(page: Page): Promise<{ within?: string }> {
  return (await page.locator(overlay).filter({ visible: true }).count()) ? { within: overlay } : {}
}
