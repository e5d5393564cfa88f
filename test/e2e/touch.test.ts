// Everything that can be done in the listing, on a phone and by touch: no mouse, no hover, no chord. What there is to do
// is the command table: a command that is not done here fails the test. On the way every target is measured.

import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fontNames } from '../../scripts/find-fonts.ts'
import { commands } from '../../src-ui/create-workspace.ts'
import { launchBrowser } from '../support/browser.ts'
import { standWith } from '../support/listing.ts'
import { newPerson } from '../support/person.ts'
import { startExecutable } from '../support/start-executable.ts'
import { forbidMouse } from '../support/touch.ts'
import { makeThings, moveAndCopy, paste, remove, rename } from './touch/items.ts'
import { open, select, signIn, sort, views } from './touch/listing.ts'
import { conflicts, sidebar, signOut, transfers, uploads } from './touch/places.ts'
import { type Scene, small } from './touch/scene.ts'

for (const font of fontNames)
  describe(`in the ${font} font`, () => {
    test('does every action of the listing by touch at 390 px, and no target is smaller than 44 px', async (t) => {
      const browser = await launchBrowser({ font })
      t.after(() => browser.close())
      const server = await startExecutable()
      t.after(() => server.close())
      await standWith(server, { 'a.txt': 'a', 'b.txt': 'bbb', 'c.txt': 'cc', 'Drawings/roof.txt': 'roof', 'Invoices/2026/': '' })
      for (const [index, name] of ['c.txt', 'a.txt', 'b.txt'].entries()) utimesSync(join(server.root, name), index + 1, index + 1)
      const person = await newPerson(browser, { width: 390, height: 844, touch: true })
      const { page, context } = person
      await forbidMouse(page)
      const done = new Set<string>()
      small.length = 0
      const scene: Scene = { ...server, page, context, does: (...ids) => ids.forEach((id) => void done.add(id)) }
      const withItems = [makeThings, rename, paste, moveAndCopy, remove]
      for (const part of [signIn, views, sort, open, select, ...withItems, sidebar, uploads, transfers, conflicts, signOut]) {
        const started = performance.now()
        await part(scene)
        t.diagnostic(`${part.name}: ${Math.round(performance.now() - started)} ms`)
      }
      // A step of the keyboard is no action of its own.
      const actions = commands.filter(({ keyOnly }) => !keyOnly).map(({ id }) => id)
      assert.deepEqual(
        actions.filter((id) => !done.has(id)),
        [],
        'commands that were not done by touch',
      )
      assert.deepEqual([...new Set(small)], [], 'targets that are smaller than a finger')
      await person.close()
    })
  })
