import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemStrategy } from '../../src-server/disk/path-handle.ts'
import { withNames } from '../../src-server/disk/place-locks.ts'
import { temporaryFolder } from '../support/tree.ts'

/** Runs two works, each with the lock of a name; the first waits long enough for the second to begin. @returns the order of their ends */
async function orderOf(folder: Parameters<typeof withNames>[0][0]['folder'], one: string, other: string) {
  const order: string[] = []
  const mayEnd = Promise.withResolvers<void>()
  const first = withNames([{ folder, name: one }], async () => {
    await mayEnd.promise
    order.push('first')
  })
  const second = withNames([{ folder, name: other }], async () => void order.push('second'))
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  mayEnd.resolve()
  await Promise.all([first, second])
  return order
}

test('requests for names that some file system treats as equal wait for each other', async (t) => {
  const folder = await systemStrategy.openPath(await temporaryFolder(t))
  t.after(() => folder.close())
  for (const [one, other] of [
    ['a', 'A'],
    ['straße', 'STRASSE'],
    ['caf\u00e9', 'cafe\u0301'],
    ['σίσυφος', 'ΣΊΣΥΦΟΣ'],
    ['soft\u00adhyphen', 'softhyphen'],
  ] as const) {
    assert.deepEqual(await orderOf(folder, one, other), ['first', 'second'], `${one}, ${other}`)
  }
  assert.deepEqual(await orderOf(folder, 'a', 'b'), ['second', 'first'])
})
