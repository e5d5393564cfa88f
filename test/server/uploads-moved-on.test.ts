// Where an upload is found when several moves of its folder are under way at a time.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Path } from '../../src-server/base/paths.ts'
import { FolderMoves } from '../../src-server/uploads/folder-moves.ts'
import type { Upload } from '../../src-server/uploads/upload.ts'
import { pieceOf, startOnFolder } from '../support/start-uploads.ts'
import { harvest } from '../support/tree.ts'

test('an upload is found when its folder itself is moved on before anybody is told of the first move', async (t) => {
  for (const isToldMeanwhile of [false, true]) {
    const { begin, asker, root, uploads } = await startOnFolder(t)
    const upload = await begin('/d/a', { length: 6 })
    await upload.receive(asker(), pieceOf({ body: 'abc' }))
    const first = await uploads.folderMoves.begin('/d' as Path, '/e' as Path)
    fs.renameSync(join(root, 'd'), join(root, 'e'))
    const second = await uploads.folderMoves.begin('/e' as Path, '/g' as Path)
    const told = isToldMeanwhile ? first(true) : undefined
    fs.renameSync(join(root, 'e'), join(root, 'g'))
    await second(true)
    await (told ?? first(true))
    await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
    assert.deepEqual(await harvest(root), { 'g/a': 'abcdef' })
  }
})

/** An upload without bytes, whose folder is moved, and makes way for another one, when its first bytes are about to be written. */
async function startSwapped(t: TestContext) {
  const setup = await startOnFolder(t)
  const upload = await setup.begin('/d/a', { length: 6 })
  const end = await setup.uploads.folderMoves.begin('/d' as Path, '/e' as Path)
  const swap = () => {
    fs.renameSync(join(setup.root, 'd'), join(setup.root, 'e'))
    fs.mkdirSync(join(setup.root, 'd'))
  }
  const asker = setup.asker()
  /** @param before runs when the bytes are about to be written */
  const receive = (before: () => unknown) => {
    let isFirst = true
    const filesIn: typeof asker.filesIn = (operation) => {
      const files = asker.filesIn(operation)
      const open = files.writing.openUnfinished.bind(files.writing)
      files.writing.openUnfinished = async (...asked) => {
        if (isFirst) await before()
        isFirst = false
        return open(...asked)
      }
      return files
    }
    return upload.receive({ ...asker, filesIn }, pieceOf({ body: 'abc' }))
  }
  const finish = () =>
    upload.receive(asker, pieceOf({ offset: upload.record.offset, body: 'abcdef'.slice(upload.record.offset) }))
  return { ...setup, upload, end, swap, receive, finish }
}

test('an upload stays where its first bytes are written, though its folder was moved just before', async (t) => {
  const { root, end, swap, receive, finish } = await startSwapped(t)
  await receive(swap)
  await end(true)
  await finish()
  assert.deepEqual(await harvest(root), { 'd/a': 'abcdef', 'e/': '' })
})

test('the first bytes of an upload are written to no other folder that has got the name of its own', async (t) => {
  const { root, end, swap, receive, finish } = await startSwapped(t)
  const move = async () => {
    swap()
    await end(true)
  }
  await assert.rejects(receive(move), { code: 'locked' })
  assert.deepEqual(await harvest(root), { 'd/': '', 'e/': '' })
  await finish()
  assert.deepEqual(await harvest(root), { 'd/': '', 'e/a': 'abcdef' })
})

test('of two moves of folders that have had one name, an upload goes with that of its own', async (t) => {
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { begin, asker, root, uploads } = await startOnFolder(t, { files: { 'other/x': 'x' } })
    const upload = await begin('/e/a', { length: 6 })
    await upload.receive(asker(), pieceOf({ body: 'abc' }))
    const ends = [
      await uploads.folderMoves.begin('/e' as Path, '/e(3)' as Path),
      await uploads.folderMoves.begin('/e' as Path, '/g' as Path),
    ]
    fs.renameSync(join(root, 'e'), join(root, 'e(3)'))
    fs.renameSync(join(root, 'other'), join(root, 'e'))
    fs.renameSync(join(root, 'e'), join(root, 'g'))
    for (const one of order) await ends[one]?.(true)
    await upload.receive(asker(), pieceOf({ offset: 3, body: 'def' }))
    assert.deepEqual(await harvest(root), { 'e(3)/a': 'abcdef', 'g/x': 'x' })
  }
})

test('an upload that another move has taken along while the disk was asked is not moved by a part of its path', async () => {
  const record = { id: 'a'.repeat(32), path: '/e/a', offset: 1, userId: 1 }
  const upload = {
    record,
    isFinished: false,
    goTo: async () => {},
    stay: async () => {},
    follow: async (path: string) => {
      upload.record = { ...record, path }
    },
  }
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<boolean>()
  let isSlow = false
  const isThere = ({ path }: { path: string }) => {
    if (!isSlow || !path.startsWith('/g/')) return Promise.resolve(path === '/e(3)/a')
    asked.resolve()
    return answer.promise
  }
  const one = upload as unknown as Upload
  const moves = new FolderMoves({ uploads: () => [one], isThere, report: assert.fail })
  const first = await moves.begin('/e' as Path, '/e(3)' as Path)
  upload.record = { ...record, offset: 0 }
  const second = await moves.begin('/e' as Path, '/g' as Path)
  upload.record = record
  isSlow = true
  const told = second(true)
  await asked.promise
  await first(true)
  answer.reject(new Error('the disk does not answer'))
  await told
  assert.equal(upload.record.path, '/e(3)/a')
})
