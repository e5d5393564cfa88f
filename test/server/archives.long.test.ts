// Large archives in every format: many files, and one long sparse file.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { described, unpack, unpackers } from '../support/archive-tools.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { startApp } from '../support/start-app.ts'
import { temporaryFolder } from '../support/tree.ts'

const gibibyte = 1024 ** 3
const app = await startApp({ after })
const ann = await app.as('ann')
const inRoot = (...names: string[]) => join(app.root, ...names)

before(async () => {
  await makeMany(inRoot('many'), 20_000)
  for (const [name, size] of [
    ['5 GiB.img', 5 * gibibyte],
    ['256 MiB.img', gibibyte / 4],
  ] as const)
    await makeSparse(inRoot(name), size)
})

/** The first tool of each format. */
const tools = Object.entries(unpackers).map(([format, ways]) => [format, Object.keys(ways)[0] ?? ''] as const)

for (const [format, tool] of tools) {
  test(`20,000 files in ${format} are the same after ${tool}`, async (t) => {
    const below = await temporaryFolder(t)
    const archive = await packed({ below, path: '/many', format })
    const folder = unpack(format, tool, archive, below)
    assert.deepEqual(described(folder), described(inRoot('many'), format === 'zip'))
  })

  const name = format === 'zip' || format === 'tar' ? '5 GiB.img' : '256 MiB.img'
  test(`a sparse file of ${name} in ${format} is the same after ${tool}`, async (t) => {
    const below = await temporaryFolder(t)
    const archive = await packed({ below, path: '/', format, query: `&files=${encodeURIComponent(name)}` })
    const folder = unpack(format, tool, archive, below)
    await rm(archive)
    const { status, stdout } = spawnSync('cmp', [join(folder, name), inRoot(name)], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  })
}

type Wanted = Readonly<{ below: string; path: string; format: string; query?: string }>

/** @returns the file of the archive */
async function packed({ below, path, format, query = '' }: Wanted): Promise<string> {
  const answer = await ann.raw(path, `algo=${format}${query}`)
  assert.ok(answer.body)
  const archive = join(below, 'archive')
  await pipeline(answer.body, createWriteStream(archive))
  return archive
}

/** Files of 2 to 10 KB in a hundred folders, some with nasty names. */
async function makeMany(folder: string, count: number): Promise<void> {
  const random = new SeededRandom(5)
  for (let index = 0; index < count; index++) {
    const below = join(folder, `${nastyNames[index % nastyNames.length] ?? ''}${index % 100}`.slice(-60))
    if (index < 3900) await mkdir(below, { recursive: true })
    const letters = Buffer.from(Array.from({ length: 2048 + random.below(8192) }, () => 97 + random.below(16)))
    await writeFile(join(below, `${index}.txt`), letters)
  }
}

/** Zeros, with some bytes at the beginning, around 4 GiB and at the end. */
async function makeSparse(file: string, size: number): Promise<void> {
  const handle = await open(file, 'w')
  for (const at of [0, 4 * gibibyte - 3, size - 7].filter((position) => position < size))
    await handle.write(Buffer.from('content'), 0, 7, at)
  await handle.close()
}
