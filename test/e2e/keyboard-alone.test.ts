// Runs all commands of the command table with the keyboard only, from sign-in to sign-out. A command that is not run fails the
// test.
import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../../src-ui/create-workspace.ts'
import { pickerCommands } from '../../src-ui/operations/picker-commands.ts'
import { followCommands } from '../support/follow-commands.ts'
import { useKeyboard } from '../support/keyboard.ts'
import { allowCommands } from '../support/shell-panel.ts'
import { startSite } from '../support/site.ts'
import { administer, signUp } from './keyboard/administration.ts'
import { edit } from './keyboard/editor.ts'
import { copyPrompt, makeThings, menus, movePrompt, paste, removeOne, renameAndInfo } from './keyboard/items.ts'
import { moveAbout, moveInMosaic, selectByKeys, signIn, sort } from './keyboard/listing.ts'
import { help, navigate, openSettings, regions, search, sidebar, signOut } from './keyboard/navigation.ts'
import { preview, quickLook } from './keyboard/preview.ts'
import type { Scene } from './keyboard/scene.ts'
import { shell } from './keyboard/shell.ts'
import { conflicts, transfers, uploads } from './keyboard/uploads.ts'

const files = { 'a.txt': 'a', 'b.txt': 'bbb', 'c.txt': 'cc', 'Drawings/roof.txt': 'roof', 'Invoices/2026/': '' }
const site = startSite({
  files,
  flags: ['--enable-exec', '--exec-unconfined', '--audit-log', 'activity.log'],
  prepare: ({ url }) => allowCommands(url, ['head']),
})

/** A drag begins with a pointer, so the keyboard alone cannot cancel one. */
const withPointerOnly = ['drag.cancel']

test('signs in, runs all commands of the command table, and signs out, with the keyboard only', {
  timeout: 1_200_000,
}, async (t) => {
  for (const [index, name] of ['c.txt', 'a.txt', 'b.txt'].entries()) utimesSync(join(site.root, name), index + 1, index + 1)
  const person = await site.newPerson()
  const { page, context } = person
  const { ran, does, haveRun } = await followCommands(page)
  const scene: Scene = { ...site.server, page, context, keyboard: await useKeyboard(page), does }
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
  for (const part of [
    ...inListing,
    preview,
    quickLook,
    edit,
    removeOne,
    menus,
    help,
    search,
    regions,
    sidebar,
    shell,
    navigate,
    openSettings,
    administer,
    uploads,
    transfers,
    conflicts,
    signOut,
    signUp,
  ]) {
    await part(scene)
    await haveRun()
    t.diagnostic(part.name)
  }
  assert.deepEqual(
    [...commands, ...pickerCommands].map(({ id }) => id).filter((id) => !ran.has(id) && !withPointerOnly.includes(id)),
    [],
    'commands that were not run with the keyboard',
  )
  await person.close()
})
