// What becomes of uploads whose folder makes way for another, and how long the end of others keeps a restore waiting.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Path } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import type { Events } from '../../src-server/events/events.ts'
import type { UploadRecord, UploadStore } from '../../src-server/state/upload-store.ts'
import type { FolderMoves } from '../../src-server/uploads/folder-moves.ts'
import { followMoves } from '../../src-server/uploads/follow-moves.ts'
import { StoppedClock } from '../support/clock.ts'
import { type AppSetup, startApp } from '../support/start-app.ts'
import { pieceOf, startOnFolder, usualMost } from '../support/start-uploads.ts'
import { deleted, itemsOf, restore } from '../support/trash-calls.ts'
import { tusCalls } from '../support/tus-calls.ts'
import { until } from '../support/until.ts'

async function start(t: TestContext, setup: AppSetup = {}) {
  const app = await startApp(t, { files: { 'd/x': 'x' }, ...setup })
  const ann = await app.as('ann')
  const tus = tusCalls(ann)
  /** Begins an upload. @returns its address */
  const begin = async (path: string) => {
    const address = (await tus.create(path, 6)).headers.get('location') ?? ''
    assert.equal((await tus.patch(address, 0, 'abc')).status, 204)
    return address
  }
  const hidden = () => (fs.readdirSync(app.root, { recursive: true }) as string[]).filter((name) => name.endsWith('.upload'))
  const records = () => fs.readdirSync(join(app.folder, 'state.json.uploads'))
  return { ...app, ann, tus, begin, hidden, records }
}

test('a restore waits five seconds for the end of an upload that was dropped meanwhile, which goes on', async (t) => {
  const { ann, tus, begin, root, clock, hidden, records } = await start(t)
  const address = await begin('/d/a')
  const item = await deleted(ann, '/d')
  await tus.end(address)
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  t.after(() => held.resolve())
  const { resumeWrite } = Disk.prototype
  t.mock.method(Disk.prototype, 'resumeWrite', async function (this: Disk, ...given: Parameters<Disk['resumeWrite']>) {
    asked.resolve()
    await held.promise
    return resumeWrite.apply(this, given)
  })
  let isBack = false
  const restored = restore(ann, [item]).then(() => {
    isBack = true
  })
  await asked.promise
  clock.advance({ milliseconds: 4999 })
  assert.equal(fs.readFileSync(join(root, 'd/x'), 'utf8'), 'x')
  assert.equal(isBack, false)
  clock.advance({ milliseconds: 1 })
  await until(() => isBack, 'it is restored')
  await restored
  assert.deepEqual([hidden().length, records().length], [1, 1])
  held.resolve()
  await until(() => records().length === 0, 'it has ended')
  assert.deepEqual(hidden(), [])
})

for (const [what, path] of [
  ['a folder', '/d'],
  ['a file', '/f'],
] as const) {
  test(`an upload that is dropped while its folder makes way for ${what} out of the trash leaves nothing`, async (t) => {
    let onDisplaced: (() => Promise<void>) | undefined
    const system: DiskSystem = {
      ...diskSystem,
      async rename(from, to) {
        await diskSystem.rename(from, to)
        const run = onDisplaced
        onDisplaced = undefined
        await run?.()
      },
    }
    const { ann, tus, begin, hidden, records } = await start(t, { files: { 'd/x': 'x', f: 'f' }, services: { system } })
    const item = await deleted(ann, path)
    await ann.makeFolder(path)
    const address = await begin(`${path}/a`)
    onDisplaced = async () => assert.equal((await tus.end(address)).status, 204)
    await restore(ann, [item], 'replace')
    assert.equal(onDisplaced, undefined)
    const displaced = (await itemsOf(ann)).map(({ id }) => id)
    assert.equal(displaced.length, 1)
    await restore(ann, displaced, 'number')
    assert.deepEqual([hidden(), records()], [[], []])
  })
}

test('a change that waits for the end of uploads leaves no timer behind where that fails', async () => {
  const clock = new StoppedClock()
  const surrounding: Parameters<Events['surround']>[0][] = []
  const events: Pick<Events, 'surround'> = {
    surround: (around) => {
      surrounding.push(around)
    },
  }
  const folderMoves: Pick<FolderMoves, 'passTrash'> = { passTrash: () => () => {} }
  const endLeft = () => Promise.reject(new Error('it cannot be removed'))
  followMoves(events as Events, { folderMoves: folderMoves as FolderMoves, endLeft }, clock)
  const [around] = surrounding
  const event = { kind: 'purge', path: '/d', isDir: true } as unknown as Parameters<NonNullable<typeof around>>[0]
  const after = await around?.(event)
  await assert.rejects(async () => after?.(event), /cannot be removed/)
  assert.equal(clock.waiting, 0)
})

test('of an upload of which nothing is acknowledged, what was written leaves nothing either when its folder is back', async (t) => {
  const isFull = (record: UploadRecord) => record.offset > 0
  const store = (of: UploadStore): UploadStore => ({
    open: () => of.open(),
    remove: (id) => of.remove(id),
    set: (record) => (isFull(record) ? Promise.reject(new Error('the disk is full')) : of.set(record)),
  })
  const parts = { most: usualMost, isAway: async (_: UploadRecord, hasContent: boolean) => hasContent }
  const { begin, asker, root, uploads, state } = await startOnFolder(t, { store, parts })
  const upload = await begin('/d/a', { length: 6 })
  await assert.rejects(upload.receive(asker(), pieceOf({ body: 'abc' })))
  assert.equal(upload.record.offset, 0)
  fs.renameSync(join(root, 'd'), join(root, 'trash'))
  await upload.remove()
  fs.renameSync(join(root, 'trash'), join(root, 'd'))
  await uploads.endLeft('/d' as Path)
  assert.deepEqual(fs.readdirSync(join(root, 'd')), [])
  assert.deepEqual(fs.readdirSync(`${state.file}.uploads`), [])
})
