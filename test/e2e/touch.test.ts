// Runs all commands of the command table on a phone by touch only. A command that is not run fails the test. The size of all
// targets that are shown is measured.
import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fontNames } from '../../scripts/find-fonts.ts'
import { commands } from '../../src-ui/create-workspace.ts'
import { followCommands } from '../support/follow-commands.ts'
import { allowCommands } from '../support/shell-panel.ts'
import { startSite } from '../support/site.ts'
import { forbidMouse } from '../support/touch.ts'
import { administer, signUp } from './touch/administration.ts'
import { edit } from './touch/editor.ts'
import { makeThings, moveAndCopy, paste, remove, rename, shareOne } from './touch/items.ts'
import { open, select, signIn, sort, views } from './touch/listing.ts'
import { preview } from './touch/preview.ts'
import { type Scene, smallOn } from './touch/scene.ts'
import { search } from './touch/search.ts'
import { shell } from './touch/shell.ts'
import { conflicts, sidebar, signOut, transfers, uploads } from './touch/sidebar-and-uploads.ts'
import { tiles } from './touch/tiles.ts'

const files = { 'a.txt': 'a', 'b.txt': 'bbb', 'c.txt': 'cc', 'Drawings/roof.txt': 'roof', 'Invoices/2026/': '' }

/** By touch the breadcrumbs lead to the parent, where they select nothing; the steps check that. */
const byOtherMeans = ['go.up']

// A test of the suite may take minutes, and the suite as long as all of them.
for (const font of fontNames)
  describe(`in the ${font} font`, { timeout: 1_800_000 }, () => {
    const site = startSite({
      font,
      files,
      flags: ['--enable-exec', '--exec-unconfined', '--audit-log', 'activity.log'],
      prepare: ({ url }) => allowCommands(url, ['echo', 'cat']),
    })

    test('does every action of the listing by touch at 390 px, and no target is smaller than 44 px', {
      timeout: 1_200_000,
    }, async (t) => {
      for (const [index, name] of ['c.txt', 'a.txt', 'b.txt'].entries()) utimesSync(join(site.root, name), index + 1, index + 1)
      const person = await site.newPerson({ width: 390, height: 844, touch: true })
      const { page, context } = person
      await forbidMouse(page)
      const { ran, does, haveRun } = await followCommands(page)
      const scene: Scene = { ...site.server, page, context, does }
      const withItems = [makeThings, rename, shareOne, paste, moveAndCopy, remove]
      for (const part of [
        signIn,
        views,
        tiles,
        sort,
        open,
        preview,
        edit,
        search,
        select,
        ...withItems,
        shell,
        sidebar,
        uploads,
        transfers,
        conflicts,
        administer,
        signOut,
        signUp,
      ]) {
        await part(scene)
        await haveRun()
        t.diagnostic(part.name)
      }
      // Commands that only a key runs cannot be run by touch.
      const actions = commands.filter(({ id, keyOnly }) => !keyOnly && !byOtherMeans.includes(id)).map(({ id }) => id)
      assert.deepEqual(
        actions.filter((id) => !ran.has(id)),
        [],
        'commands that were not run by touch',
      )
      assert.deepEqual(smallOn(page), [], 'targets that are smaller than 44 px')
      await person.close()
    })
  })
