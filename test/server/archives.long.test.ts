// Large archives in every format: many files, and one long sparse file. `npm test` has fewer files, and none so long.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, open, utimes, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { comparedByCmp, comparedByTar, zipPrinters } from '../support/archive-streams.ts'
import { described, unpack, unpackers } from '../support/archive-tools.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { byScale, isLong, scale } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { startApp } from '../support/start-app.ts'
import { temporaryFolder } from '../support/tree.ts'

const gibibyte = 1024 ** 3
const count = byScale({ usual: 300, long: 4000, full: 20_000 })
/** The length in MiB of a file: more than all that is held between packing and reading. */
const length = byScale({ usual: 64, long: 256 })
/** The long file of a zip archive: more than 4 GiB need other records. Each program that reads so much takes twenty seconds of a processor. */
const longFile = isLong ? '5 GiB.img' : `${length} MiB.img`
/** Packing and reading 5 GiB takes minutes. */
const timeout = 600_000
const app = await startApp({ after })
const { token = '' } = await app.as('ann')
const inRoot = (...names: string[]) => join(app.root, ...names)
/** Paths, a folder's with a slash at its end. */
let many: readonly string[] = []

before(async () => {
  many = await makeMany(inRoot('many'), count)
  if (isLong) await makeSparse(inRoot('5 GiB.img'), 5 * gibibyte)
  await makeSparse(inRoot(`${length} MiB.img`), (length * gibibyte) / 1024)
  await writeFile(inRoot('behind.txt'), 'behind it')
})

test(`${count} files in zip are the same after unzip`, { timeout }, async (t) => {
  const below = await temporaryFolder(t)
  const archive = join(below, 'archive')
  await pipeline(await packed('/api/raw/many?algo=zip'), createWriteStream(archive))
  const folder = unpack('zip', 'unzip', archive, below)
  assert.deepEqual(described(folder), described(inRoot('many'), true))
})

test(`a sparse file of ${longFile} and a file behind it in zip are the same for ${zipPrinters.join(' and ')}, and unzip reads their lengths`, {
  timeout,
}, async (t) => {
  const archive = join(await temporaryFolder(t), 'archive')
  await pipeline(await packed(`/api/raw/?algo=zip&files=${encodeURIComponent(longFile)},behind.txt`), createWriteStream(archive))
  for (const name of [longFile, 'behind.txt']) {
    const compared = zipPrinters.map((tool) => comparedByCmp(tool, archive, name, inRoot(name)))
    assert.deepEqual(
      await Promise.all(compared),
      zipPrinters.map(() => ''),
    )
  }
  // Unpacking by unzip takes three times as long as by the others.
  const listed = new RegExp(`${(isLong ? 5120 : length) * 2 ** 20} .* ${longFile.replace('.', '\\.')}\n +9 .* behind\\.txt`)
  assert.match(execFileSync('unzip', ['-l', archive], { encoding: 'utf8' }), listed)
})

for (const format of Object.keys(unpackers).filter((name) => name !== 'zip')) {
  test(`${count} files in ${format} are the same for tar`, { timeout }, async (t) => {
    const where = { folder: inRoot('many'), below: await temporaryFolder(t) }
    const lines = await comparedByTar(format, await packed(`/api/raw/many?algo=${format}`), where)
    assert.deepEqual(lines.sort(), many)
  })

  const name = format === 'tar' && scale === 'full' ? longFile : `${length} MiB.img`
  test(`a sparse file of ${name} in ${format} is the same for tar`, { timeout }, async (t) => {
    const where = { folder: app.root, below: await temporaryFolder(t) }
    const archive = await packed(`/api/raw/?algo=${format}&files=${encodeURIComponent(name)}`)
    assert.deepEqual(await comparedByTar(format, archive, where), [name])
  })
}

/** An archive while it is packed. Not through fetch, which takes twice the time for each byte. */
async function packed(path: string): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port: app.port, path, headers: { 'X-Auth': token } }, resolve).on('error', reject)
  })
  assert.equal(answer.statusCode, 200)
  return answer
}

/** Files of 2 to 10 KB in some four thousand folders, some with nasty names. @returns their paths and those of the folders, sorted */
async function makeMany(folder: string, count: number): Promise<string[]> {
  const random = new SeededRandom(5)
  const letters = Buffer.from(Array.from({ length: 1 << 20 }, () => 97 + random.below(16)))
  const paths = new Set<string>()
  for (let index = 0; index < count; index++) {
    const below = `${nastyNames[index % nastyNames.length] ?? ''}${index % 100}`.slice(-60)
    if (!paths.has(`${below}/`)) await mkdir(join(folder, below), { recursive: true })
    const path = `${below}/${index}.txt`
    paths.add(`${below}/`).add(path)
    const start = random.below(letters.length - 10_240)
    await writeFile(join(folder, path), letters.subarray(start, start + 2048 + random.below(8192)))
    // Whole seconds, as the archives have them.
    await utimes(join(folder, path), 0, 1_600_000_000 + index)
  }
  return [...paths].sort()
}

/** Zeros, with some bytes at the beginning, around 4 GiB and at the end. */
async function makeSparse(file: string, size: number): Promise<void> {
  const handle = await open(file, 'w')
  for (const at of [0, 4 * gibibyte - 3, size - 7].filter((position) => position < size))
    await handle.write(Buffer.from('content'), 0, 7, at)
  await handle.utimes(0, 1_600_000_000)
  await handle.close()
}
