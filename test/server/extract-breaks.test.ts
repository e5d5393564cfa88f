// What breaks while an archive is extracted leaves nothing of it: a full disk and calls of the system that fail, at each of them; names
// that are one name to the disk; and bytes of the archive that are changed anywhere.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ArchiveNames } from '../../src-server/archives/archive-names.ts'
import { unpackerOf } from '../../src-server/archives/known-archives.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import type { LocalDiskOptions } from '../../src-server/disk/local-disk.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { type TarPart, tarOf } from '../support/attack-tar.ts'
import { type ZipPart, zipOf } from '../support/attack-zip.ts'
import {
  caseInsensitiveStrategy,
  caseInsensitiveSystem,
  formInsensitive,
  unicodeInsensitive,
} from '../support/case-insensitive.ts'
import { failing } from '../support/failing-system.ts'
import { fullSystem } from '../support/full-system.ts'
import { openDisk } from '../support/open-disk.ts'
import { byScale, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { harvestAll } from '../support/tree.ts'
import { userFilesOn } from '../support/user-files.ts'

type Options = Partial<LocalDiskOptions>

async function start(t: TestContext, options: Options = {}) {
  const { disk, root } = await openDisk(t, { files: { 't/x': 'X', 'out/kept': 'kept' }, options: () => options })
  let count = 0
  /** @returns the refusal */
  const extract = async (archive: Uint8Array): Promise<Failure | undefined> => {
    const name = `old${++count}`
    writeFileSync(join(root, name), archive)
    try {
      await userFilesOn(disk).extract(parsePath(`/${name}`), parsePath('/t'), { onGiving: async () => {} })
      return undefined
    } catch (error) {
      assert.ok(error instanceof Failure, String(error))
      return error
    }
  }
  /** All but the archives, hidden names too. */
  const found = async () => Object.fromEntries(Object.entries(await harvestAll(root)).filter(([path]) => !path.startsWith('old')))
  return { extract, found, root }
}

const linkMode = 0o120777
const several: readonly ZipPart[] = [
  { name: 'd/1', content: 'one' },
  { name: 'd/e/2', content: 'two' },
  { name: 'l', content: 'd/1', mode: linkMode },
]
/** By what of an archive gets its name at the end. */
const archives = {
  'a folder around all': zipOf(several),
  'the only folder': zipOf(several.map((part) => ({ ...part, name: `top/${part.name}` }))),
  'the only file': tarOf([{ name: 'only', content: 'A' }]),
}
const nothing = { 't/x': 'X', 'out/kept': 'kept' }
const wholeOf = (found: object) => Object.keys(found).length - Object.keys(nothing).length

for (const [what, archive] of Object.entries(archives)) {
  test(`a disk that is full at any moment leaves nothing, of ${what}`, async (t) => {
    const { system, space } = fullSystem()
    const { extract, found } = await start(t, { system })
    for (let left = 0; ; left++) {
      Object.assign(space, { isFull: true, left })
      const refusal = await extract(archive)
      space.isFull = false
      if (!refusal) {
        assert.ok(left > 1, `${left} calls`)
        break
      }
      assert.deepEqual([refusal.code, await found()], ['full', nothing], `call ${left}`)
    }
  })

  test(`a call of the system that fails leaves all or nothing, of ${what}`, async (t) => {
    const { system, arm, isSpent } = failing()
    for (const step of ['open', 'write', 'sync', 'close', 'rename'] as const) {
      for (let nth = 1; ; nth++) {
        const { extract, found } = await start(t, { system })
        arm(step, 'EIO', nth)
        const refusal = await extract(archive).catch((error: unknown) => error)
        const now = await found()
        if (!isSpent()) break
        const isLeft = wholeOf(now) > 0
        assert.ok(!isLeft || wholeOf(now) === (what === 'the only file' ? 1 : 3), `${step} ${nth}: ${Object.keys(now)}`)
        assert.ok(refusal !== undefined || isLeft, `${step} ${nth}`)
      }
    }
  })
}

test('a hidden folder that cannot be removed changes nothing of what is told', async (t) => {
  const rmdir = async () => {
    throw Object.assign(new Error('EIO: rmdir'), { code: 'EIO' })
  }
  const { extract, found } = await start(t, { system: { ...diskSystem, rmdir } })
  assert.equal(await extract(archives['the only folder']), undefined)
  assert.equal(await extract(archives['the only file']), undefined)
  const isThere = Object.keys(await found()).filter((path) => !path.includes('.holdall'))
  assert.deepEqual(isThere, ['out/kept', 't/only', 't/top/d/1', 't/top/d/e/2', 't/top/l', 't/x'])
  const refusal = await extract(zipOf([...several, { name: 'a', content: 'A', crc: 1 }]))
  assert.equal(refusal?.template, 'the archive is damaged at {{name}}')
})

const twice = (...names: string[]): ZipPart[] => names.map((name) => ({ name, content: '!' }))
const throughLink: ZipPart[] = [
  { name: 'L', content: 'd', mode: linkMode },
  { name: 'd/1', content: 'one' },
  { name: 'l/1', content: '!' },
]
const dotless = { strategy: caseInsensitiveStrategy, system: caseInsensitiveSystem }
const clashes: readonly (readonly [what: string, options: Options, parts: readonly ZipPart[]])[] = [
  ['names that differ in case', unicodeInsensitive, twice('a', 'A')],
  ['folders that differ in case', unicodeInsensitive, twice('dir/a', 'DIR/b')],
  ['a folder and a file', unicodeInsensitive, twice('dir/a', 'DIR')],
  ['a link and a folder', unicodeInsensitive, throughLink],
  ['names that differ in a dot', dotless, twice('a', 'a.')],
  ['names that differ in their form', formInsensitive, twice('caf\u00e9', 'cafe\u0301')],
]

for (const [what, options, parts] of clashes) {
  test(`${what} are one to a disk, and leave nothing there`, async (t) => {
    const { extract, found } = await start(t, options)
    assert.equal((await extract(zipOf(parts)))?.template, '{{name}} stands in the archive twice')
    assert.deepEqual(await found(), nothing)
    const { extract: extractApart } = await start(t)
    assert.equal(await extractApart(zipOf(parts)), undefined)
  })
}

const tarParts: readonly TarPart[] = [
  { name: 'd/1', content: 'one' },
  { name: 'd/', type: '5' },
  { name: 'l', type: '2', link: 'd/1' },
  { name: 'h', type: '1', link: 'd/1' },
]
const changedOnes = [
  [
    'zip',
    zipOf([...several, { name: 'stored', content: 'stored', method: 0 }, { name: 's', content: 'S', descriptor: 'marked' }]),
  ],
  ['tar', tarOf(tarParts)],
  ['tar.gz', gzipSync(tarOf(tarParts))],
] as const

/** Some bytes are others, or the end is missing. */
function changed(archive: Buffer, random: SeededRandom): Buffer {
  const bytes = Buffer.from(archive)
  for (let times = 1 + random.below(3); times > 0; times--) bytes[random.below(bytes.length)] = random.below(256)
  return random.below(10) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes
}

const [readings, writings] = [byScale({ usual: 300, long: 3000, full: 10_000 }), byScale({ usual: 25, long: 150, full: 400 })]

for (const [what, archive] of changedOnes) {
  test(`a ${what} of which bytes are changed is refused or read, ${readings} times (seed ${seed})`, async () => {
    const random = new SeededRandom(seed)
    let refused = 0
    for (let index = 0; index < readings; index++) {
      const bytes = changed(archive, random)
      const file = {
        size: bytes.length,
        read: async (buffer: Uint8Array, at: number) => void buffer.set(bytes.subarray(at, at + buffer.length)),
      }
      try {
        const unpacker = await unpackerOf(file)
        for (const isWhole of [false, true])
          for await (const entry of unpacker.entries({ isWhole, names: new ArchiveNames('cp437') }))
            if (isWhole && entry.content) for await (const piece of entry.content()) assert.ok(piece.length <= 1 << 20)
      } catch (error) {
        assert.ok(error instanceof Failure, `${index}: ${error instanceof Error ? error.stack : error}`)
        refused++
      }
    }
    assert.ok(refused > readings / 3, `${refused} were refused`)
  })

  test(`a ${what} of which bytes are changed leaves all or nothing, ${writings} times (seed ${seed})`, async (t) => {
    const random = new SeededRandom(seed)
    for (let index = 0; index < writings; index++) {
      const { extract, found } = await start(t)
      const refusal = await extract(changed(archive, random))
      const now = await found()
      assert.equal(now['out/kept'], 'kept')
      if (refusal) assert.deepEqual(now, nothing, String(index))
      assert.ok(!Object.keys(now).some((path) => path.includes('.holdall')), String(index))
    }
  })
}
