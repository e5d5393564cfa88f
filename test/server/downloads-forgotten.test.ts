// The counts of links that are removed.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Downloads } from '../../src-server/shares/downloads.ts'
import type { CountedDownload } from '../../src-server/state/download-log.ts'
import { StoppedClock } from '../support/clock.ts'
import { engines, link, now, user } from '../support/engines.ts'

/** Links `kept` and `gone`, with a download each. */
async function start(t: TestContext) {
  const state = (await engines['the memory']?.(t)) ?? assert.fail()
  const { id } = await state.run('addUser', user('ann'))
  for (const hash of ['kept', 'gone']) await state.run('addLink', { link: link(hash, id), most: 10, now })
  const lines: CountedDownload[] = []
  const compacted: (readonly CountedDownload[])[] = []
  const counted = {
    read: () => lines,
    append: async (line: CountedDownload) => void lines.push(line),
    replace: async (all: readonly CountedDownload[]) => void compacted.push(all),
  }
  const open = () => Downloads.open({ counted, clock: new StoppedClock(), secret: () => 'secret', state, report: assert.fail })
  const remove = () => state.run('removeLinks', { hashes: ['gone'] })
  return { state, lines, compacted, open, remove }
}

const part = { content: 'a', size: 10, length: 10, isOfVersion: false }
const visitor = (source: string) => ({ source, agent: '', isShared: false })
const counts = (downloads: Downloads) => ['kept', 'gone'].map((hash) => downloads.countOf({ hash }))

describe('the count of a link that is removed is forgotten', () => {
  test('at once, and what is sent of it then does not bring it back', async (t) => {
    const { state, open, remove } = await start(t)
    const downloads = await open()
    const reserve = async (hash: string, source: string) =>
      downloads.reserve((await state.link(hash))?.link ?? assert.fail(), visitor(source), part)
    const running = [await reserve('kept', '::1'), await reserve('gone', '::1'), await reserve('gone', '::2')]
    assert.deepEqual(counts(downloads), [1, 2])
    await remove()
    assert.deepEqual(counts(downloads), [1, 0])
    for (const [index, { settle }] of running.entries()) await settle(index === 2 ? 1 : 0)
    assert.deepEqual(counts(downloads), [0, 0])
  })

  test('at a start, when it was removed after its last line was written', async (t) => {
    const { lines, open, remove } = await start(t)
    lines.push({ hash: 'kept', add: 3 }, { hash: 'gone', add: 2 })
    assert.deepEqual(counts(await open()), [3, 2])
    await remove()
    assert.deepEqual(counts(await open()), [3, 0])
  })

  test('and is not in the log that is written anew', async (t) => {
    const { state, lines, compacted, open, remove } = await start(t)
    const few = 50_000
    for (let index = 0; index < few; index++) lines.push({ hash: index % 2 === 0 ? 'kept' : 'gone', add: 1 })
    const downloads = await open()
    await remove()
    await downloads.reserve((await state.link('kept'))?.link ?? assert.fail(), visitor('::1'), part)
    const sums = compacted.flat().filter(({ hash }) => hash !== '')
    assert.deepEqual(sums, [{ hash: 'kept', add: few / 2 + 1 }])
  })
})
