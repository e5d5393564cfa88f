// Comparing two files, which a pause or a cancel may stop.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { hasSameContent } from '../../src-server/files/replaced.ts'
import { entryAt } from '../../src-server/files/walk.ts'
import { capability, fileContext } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'

test('a comparison that is stopped before it has read anything ends with the reason, and nothing else', async (t) => {
  const { disk } = await openDisk(t, { files: { a: 'same', b: 'same' } })
  const entry = await entryAt(fileContext(disk), parsePath('/a'))
  assert.ok(entry)
  const pair = { entry, capability: capability('rename', '/a'), to: parsePath('/b') }
  assert.equal(await hasSameContent(fileContext(disk), pair), true)
  const stopping = new AbortController()
  // Both files are open by then.
  const { open } = disk
  let opened = 0
  t.mock.method(disk, 'open', async (...asked: Parameters<typeof open>) => {
    const file = await open.apply(disk, asked)
    opened += 1
    if (opened === 2) stopping.abort('cancel')
    return file
  })
  await assert.rejects(hasSameContent(fileContext(disk, { signal: stopping.signal }), pair), { name: 'AbortError' })
  // An error that nobody handles comes later, and fails the test.
  await new Promise((resolve) => setImmediate(resolve))
})
