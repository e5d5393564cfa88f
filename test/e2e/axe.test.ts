// No accessibility violation on any screen, prompt, menu or state, in either theme.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { entry, standWith } from '../support/listing.ts'
import { newPerson, showList, signIn } from '../support/person.ts'
import { type Running, startExecutable } from '../support/start-executable.ts'
import { callOff, doors, type State, states } from './axe/states.ts'

let browser: Browser
let server: Running
before(async () => {
  browser = await launchBrowser()
  server = await startExecutable()
})
after(async () => {
  await browser?.close()
  await server?.close()
})

for (const theme of ['light', 'dark'] as const) {
  test(`no axe violation on any screen, prompt, menu and state (${theme})`, async (t) => {
    await standWith(server, {
      ...{ 'a.txt': 'a', 'b.txt': 'bb', 'picture.png': '', 'sound.mp3': '', 'film.mp4': '', 'paper.pdf': '', 'box.zip': '' },
      ...{ 'Drawings/a.txt': 'theirs', 'Drawings/b.txt': 'theirs', 'Drawings/roof.txt': '', 'Empty/': '', 'Deep/1/2/3/4/5/': '' },
    })
    const person = await newPerson(browser, { theme })
    const found: string[] = []
    const look = async (name: string, state: State) => {
      const { page } = person
      const isThere = await state({ page, url: server.url, folder: server.folder }).then(
        () => true,
        (cause) => void found.push(`${name}: was not reached: ${cause}`),
      )
      if (!isThere) return
      found.push(...(await violations(page)).map((problem) => `${name}: ${problem}`))
    }
    for (const [name, state] of Object.entries(doors)) {
      await person.page.goto(`${server.url}/login`)
      await look(name, state)
    }
    await signIn(person.page, server.url)
    await showList(person.page)
    for (const [name, state] of Object.entries(states)) {
      await begin(person.page)
      await look(name, state)
    }
    t.diagnostic(`${Object.keys({ ...doors, ...states }).length} states`)
    assert.deepEqual(found, [])
    await person.context.close()
  })
}

/** The root as a list on a desk, with nothing left of the state before. */
async function begin(page: Page): Promise<void> {
  await callOff()
  await page.unrouteAll()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('about:blank')
  await page.goto(`${server.url}/files/`)
  await entry(page, 'b.txt').or(page.getByLabel('Username')).first().waitFor()
  if (await page.getByLabel('Username').count()) await signIn(page, server.url)
  await showList(page)
  await page.locator('.row[data-entry]').first().waitFor()
}

/** What is wrong, as the rule and the element that breaks it. */
async function violations(page: Page): Promise<string[]> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY),
  )
  const { violations: broken } = await new AxeBuilder({ page }).analyze()
  return broken.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`))
}
