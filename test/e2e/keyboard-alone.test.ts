// Everything that can be done in the listing, by the keyboard alone, from the sign-in to the sign-out. What there is to
// do is the command table: a command that is not done here fails the test.

import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from '@playwright/test'
import { commands } from '../../src-ui/create-workspace.ts'
import { launchBrowser } from '../support/browser.ts'
import { handsOn } from '../support/keyboard.ts'
import { standWith } from '../support/listing.ts'
import { newPerson } from '../support/person.ts'
import { type Running, startExecutable } from '../support/start-executable.ts'
import { moveAbout, moveInMosaic, selectByKeys, signIn, sort } from './keyboard/getting-about.ts'
import { copyPrompt, makeThings, menus, movePrompt, paste, removeOne, renameAndInfo } from './keyboard/items.ts'
import { help, places, regions, sidebar, signOut } from './keyboard/places.ts'
import type { Scene } from './keyboard/scene.ts'
import { conflicts, transfers, uploads } from './keyboard/uploads.ts'

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

/** A drag is begun by a pointer, and so is called off by who has one. */
const withPointerAlone = ['drag.cancel']

test('signs in, does everything that the command table holds, and signs out, by the keyboard alone', async (t) => {
  await standWith(server, { 'a.txt': 'a', 'b.txt': 'bbb', 'c.txt': 'cc', 'Drawings/roof.txt': 'roof', 'Invoices/2026/': '' })
  for (const [index, name] of ['c.txt', 'a.txt', 'b.txt'].entries()) utimesSync(join(server.root, name), index + 1, index + 1)
  const person = await newPerson(browser)
  const { page, context } = person
  const done = new Set<string>()
  const does = (...ids: string[]) => ids.forEach((id) => void done.add(id))
  const scene: Scene = { ...server, page, context, hands: await handsOn(page), does }
  const inListing = [
    signIn,
    moveAbout,
    selectByKeys,
    moveInMosaic,
    sort,
    makeThings,
    renameAndInfo,
    paste,
    movePrompt,
    copyPrompt,
  ]
  for (const part of [...inListing, removeOne, menus, help, regions, sidebar, places, uploads, transfers, conflicts, signOut]) {
    await part(scene)
    t.diagnostic(part.name)
  }
  assert.deepEqual(
    commands.map(({ id }) => id).filter((id) => !done.has(id) && !withPointerAlone.includes(id)),
    [],
    'commands that were not done by the keyboard',
  )
  await person.close()
})
