// Links that change elsewhere are read again: one reading at a time, and none is missed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Share } from '../../src-server/contract/shares.ts'
import { user } from '../../src-ui/core/session.ts'
import { followShares } from '../../src-ui/shares/share-calls.ts'
import { startLive } from './fake-live.ts'
import { ann } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const { afterEach } = hooksOf(import.meta.filename)
afterEach(() => {
  user.value = null
})

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('changes during a reading are read once more after it, and nothing is shown after the end', async () => {
  user.value = ann
  const { workspace, last } = startLive()
  const readings: ((links: Share[] | Error) => void)[] = []
  const shown: number[] = []
  const read = () =>
    new Promise<Share[]>((resolve, reject) => {
      readings.push((links) => (links instanceof Error ? reject(links) : resolve(links)))
    })
  const end = followShares(workspace, read, (links) => shown.push(links.length))
  const change = () => last().tell({ kind: 'links' })
  for (const _ of [1, 2, 3]) change()
  assert.equal(readings.length, 1)
  readings[0]?.([{} as Share])
  await settled()
  assert.deepEqual([readings.length, shown], [2, [1]])
  readings[1]?.(new Error('busy'))
  await settled()
  assert.deepEqual([readings.length, shown], [2, [1]])
  change()
  assert.equal(readings.length, 3)
  end()
  readings[2]?.([])
  await settled()
  change()
  assert.deepEqual([readings.length, shown], [3, [1]])
  workspace.dispose()
})
