// Work on a folder that is listed in parts, and that somebody renames meanwhile.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parsePath } from '../../src-server/base/paths.ts'
import { principal } from '../support/capabilities.ts'
import { countedDisk, DiskCounts } from '../support/counted-disk.ts'
import { openDisk } from '../support/open-disk.ts'
import { readZip } from '../support/read-zip.ts'
import { userFilesOn } from '../support/user-files.ts'

const names = Array.from({ length: 6000 }, (_, index) => `${index}.txt`)
const sorted = names.toSorted()
const folder = parsePath('/a/long')

async function start(t: TestContext, onCopy: (count: number) => void = () => {}) {
  const { disk, root } = await openDisk(t, { files: Object.fromEntries(names.map((name) => [`a/long/${name}`, 'x'])) })
  let copies = 0
  const counted = countedDisk(disk, new DiskCounts((call) => call === 'copyFile' && onCopy(++copies)))
  return { disk: counted, root, files: userFilesOn(counted) }
}

/** Packs the folder. @param change called after the first bytes @returns the names in it, and the list of what it does not hold */
async function packed({ disk }: Awaited<ReturnType<typeof start>>, change: () => void, denied: string[] = []) {
  const chunks: Uint8Array[] = []
  const files = userFilesOn(disk, { principal: principal(...denied) })
  for await (const chunk of (await files.archive({ paths: [folder] })).pack()) {
    if (chunks.push(Buffer.from(chunk)) === 1) change()
  }
  const { entries } = readZip(chunks)
  const list = entries.find(({ name }) => name === '_not-included.txt')
  const lines = list?.content().toString().trimEnd().split('\n').slice(2) ?? []
  return { held: entries.filter((entry) => entry !== list).map(({ name }) => name), lines }
}

test('an archive holds all of a long folder that is renamed while it is packed', async (t) => {
  const started = await start(t)
  const { held, lines } = await packed(started, () => rename(started.root, 'a/long'))
  assert.deepEqual([held.sort(), lines], [sorted, []])
})

test('a copy of a long folder that is renamed meanwhile has all of it', async (t) => {
  const { root, files } = await start(t, (count) => count === 100 && rename(root, 'a/long'))
  await files.copy(folder, parsePath('/copy'), { override: false, rename: false })
  assert.deepEqual(fs.readdirSync(join(root, 'copy')).sort(), sorted)
})

for (const path of ['a/long', 'a'])
  test(`all of a long folder is counted when ${path} is renamed meanwhile`, async (t) => {
    const { root, files } = await start(t)
    let reports = 0
    const counted = await files.size(folder, () => ++reports === 1 && rename(root, path))
    assert.deepEqual(counted, { bytes: names.length, files: names.length, folders: 0, unlisted: 0 })
  })

function rename(root: string, path: string) {
  fs.renameSync(join(root, path), join(root, 'renamed'))
}

test('an archive names what is gone before it was packed, and not what the rules hide', async (t) => {
  const started = await start(t)
  const moveAll = () => {
    for (const name of names) fs.renameSync(join(started.root, 'a/long', name), join(started.root, 'a', name))
  }
  const { held, lines } = await packed(started, moveAll, ['/a/long/5999.txt'])
  const gone = 5999 - held.length
  assert.ok(gone > 3000, `${gone} are gone`)
  assert.deepEqual([lines.length, lines.at(-1)], [1001, `and ${gone - 1000} more`])
  assert.ok(lines.slice(0, -1).every((line) => /^\d+\.txt: it was removed meanwhile$/.test(line)))
})

test('an archive names a folder that is gone before its content was packed', async (t) => {
  const folders = Array.from({ length: 100 }, (_, index) => [`a/long/${index}/x`, randomBytes(100_000)] as const)
  const { disk, root } = await openDisk(t, { files: Object.fromEntries(folders) })
  const { held, lines } = await packed({ disk, root, files: userFilesOn(disk) }, () => {
    for (const [path] of folders) fs.rmSync(join(root, path, '..'), { recursive: true, force: true })
  })
  const complete = held.filter((name) => name.endsWith('/x')).map((name) => name.slice(0, -2))
  const named = lines.map((line) => line.replace(/(\/x)?: it was removed meanwhile$/, ''))
  assert.ok(named.length > 0)
  assert.deepEqual([...complete, ...named].sort(), folders.map((_, index) => `${index}`).sort())
})
