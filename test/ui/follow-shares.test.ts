// Links that change elsewhere are read again: one reading at a time, and none is missed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals-core'
import type { Share } from '../../src-server/contract/shares.ts'
import { type EntryView, entryViewSlice } from '../../src-ui/core/entry-view.ts'
import { noticesSlice } from '../../src-ui/core/notices.ts'
import { user } from '../../src-ui/core/session.ts'
import { t } from '../../src-ui/i18n/t.ts'
import { factsOf } from '../../src-ui/shares/link-facts.ts'
import { followShares } from '../../src-ui/shares/share-calls.ts'
import { ShareLinks } from '../../src-ui/shares/share-links.ts'
import { until } from '../support/until.ts'
import { answering, type Reply } from './answering.ts'
import { orderOfNames } from './entries.ts'
import { startLive } from './fake-live.ts'
import { ann } from './folder-of.ts'
import { hooksOf } from './hooks.ts'

const network = answering(import.meta.filename)
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

const replyOf = (links: readonly Share[]) => ({ text: JSON.stringify(links), headers: { 'Content-Type': 'application/json' } })

/** A folder that is shown. */
const folderWith = (...names: string[]) => ({
  state: signal({ kind: 'folder', path: '/' }),
  sortedEntries: signal(orderOfNames(...names)),
})

/** The dialog of a.txt, which has one link that lasts. */
async function startDialog() {
  user.value = ann
  const { workspace, last } = startLive()
  const share = { hash: 'one', userID: ann.id, expire: 0 } as Share
  const view = folderWith('a.txt')
  workspace.provide(entryViewSlice, view as unknown as EntryView)
  const show = (...names: string[]) => {
    view.sortedEntries.value = orderOfNames(...names)
  }
  const [entry] = view.sortedEntries.value.entries
  assert.ok(entry)
  const dialog = new ShareLinks(workspace, entry)
  const answerWith = (links: readonly Share[]) => {
    network.replies['GET /api/share/a.txt'] = replyOf(links)
  }
  answerWith([share])
  network.replies['DELETE /api/share/one'] = { text: '200 OK' }
  await dialog.load(workspace.signal)
  const ends: number[] = []
  dialog.follow(() => ends.push(1))
  const isAsked = (count: number) =>
    until(() => network.calls.filter(({ name }) => name.startsWith('GET')).length === count, 'it reads')
  const change = () => last().tell({ kind: 'links' })
  return { workspace, dialog, share, answerWith, change, isAsked, ends, show }
}

test('the dialog says that nobody has a link any more where its person deleted the last', async () => {
  const { workspace, dialog, share, answerWith, change, isAsked } = await startDialog()
  assert.equal(await dialog.remove(share), true)
  answerWith([])
  change()
  await isAsked(2)
  await settled()
  assert.deepEqual([dialog.mode.value, dialog.links.value], ['links', []])
  workspace.dispose()
})

test('the dialog shows the form of a new link where somebody else deleted the last', async () => {
  const { workspace, dialog, answerWith, change } = await startDialog()
  answerWith([])
  change()
  await until(() => dialog.mode.value === 'new', 'the form is shown')
  workspace.dispose()
})

test('beside a permanent link to what is in the trash another can be made, and the list says what it is', async () => {
  const { workspace, dialog, share, answerWith, change } = await startDialog()
  assert.equal(dialog.mayBePermanent, false)
  answerWith([{ ...share, inTrash: true }])
  change()
  await until(() => dialog.mayBePermanent, 'it can be made')
  const [link] = dialog.links.value
  assert.ok(link)
  const facts = factsOf({ ...link, downloads: 0, note: '' }, ann.id).split(' · ')
  assert.equal(facts[0], t('shares.inTrash'))
  workspace.dispose()
})

test('what was read before an own change is not shown after it', async () => {
  const { workspace, dialog, share, answerWith, change, isAsked } = await startDialog()
  const { promise, resolve } = Promise.withResolvers<Reply>()
  network.replies['GET /api/share/a.txt'] = () => promise
  change()
  await isAsked(2)
  assert.equal(await dialog.remove(share), true)
  answerWith([])
  change()
  resolve(replyOf([share]))
  const shown: number[] = []
  const end = dialog.links.subscribe((links) => shown.push(links.length))
  await isAsked(3)
  await settled()
  end()
  assert.deepEqual([dialog.mode.value, shown], ['links', [0, 0]])
  workspace.dispose()
})

test('the dialog ends when somebody else has renamed its entry, but not while it shows a link that was just made', async () => {
  const { workspace, dialog, ends, show } = await startDialog()
  network.replies['POST /api/share/a.txt'] = { text: '{"hash":"two"}', headers: { 'Content-Type': 'application/json' } }
  await dialog.create()
  assert.equal(dialog.mode.value, 'ready')
  show('b.txt')
  assert.deepEqual([ends.length, workspace.use(noticesSlice).list.value.length], [0, 0])
  dialog.begin()
  assert.equal(ends.length, 1)
  const texts = workspace.use(noticesSlice).list.value.map(({ text }) => text.replace(/[\u2068\u2069]/g, ''))
  assert.deepEqual(texts, ['“a.txt” is no longer here'])
  workspace.dispose()
})

test('a form with changes to a link stays when its entry is renamed: the link goes on under its address', async () => {
  const { workspace, dialog, share, ends, show } = await startDialog()
  dialog.edit(share)
  show('b.txt')
  assert.equal(ends.length, 0)
  dialog.cancelEdit()
  assert.equal(ends.length, 1)
  workspace.dispose()
})
