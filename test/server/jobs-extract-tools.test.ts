// What standard programs pack comes out of the server equal, byte for byte.
import assert from 'node:assert/strict'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { described, packers, provide, sparsePackers } from '../support/archive-tools.ts'
import { jobCalls } from '../support/job-calls.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { byScale, isLong, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { startApp } from '../support/start-app.ts'
import { plant, type Tree, temporaryFolder } from '../support/tree.ts'

const random = new SeededRandom(seed)

/** Some folders and files of random lengths. */
function randomTree(): Tree {
  const files = Array.from({ length: 5 + random.below(20) }, (_, index) => [
    `${'f/'.repeat(random.below(6))}${index}${'n'.repeat(random.below(150))}`,
    Buffer.alloc(random.below(20_000), `${random.below(1000)} `),
  ])
  return Object.fromEntries([...files, ['empty/', '']])
}

const names: Tree = {
  ...Object.fromEntries(nastyNames.map((name) => [`names/${name}`, name])),
  ...Object.fromEntries(nastyNames.slice(0, 5).map((name) => [`folders/${name}/f`, name])),
  [`${'deep/'.repeat(byScale({ usual: 20, long: 60 }))}f`]: 'deep',
}
const links: Tree = {
  'empty/': '',
  'sizes/0': '',
  'sizes/511': 'x'.repeat(511),
  'sizes/512': 'x'.repeat(512),
  'sizes/large': Buffer.alloc(1_200_000, 'A line of text. '),
  'l/to a file': { link: '../sizes/511' },
  'l/to a folder': { link: '../empty' },
}
type Kind = 'links' | 'names' | 'both' | 'random'
type Planted = readonly [kind: Kind, tree: Tree]

/** In `npm test` one for each program and format, with all that it can pack. */
const trees: readonly Planted[] = isLong
  ? [
      ['names', names],
      ['links', links],
      ...Array.from({ length: byScale({ usual: 0, long: 1, full: 12 }) }, (): Planted => ['random', randomTree()]),
    ]
  : [
      ['names', names],
      ['links', links],
      ['both', { ...names, ...links }],
    ]

function isFor(kind: Kind, lacks: 'links' | 'names' | undefined): boolean {
  if (isLong) return lacks === undefined || lacks !== kind
  return kind === (lacks === undefined ? 'both' : lacks === 'links' ? 'names' : 'links')
}

async function startExtracting(t: TestContext) {
  const app = await startApp(t, { files: { 't/': '' } })
  const jobs = jobCalls(await app.as('ann'))
  /** @returns where it is */
  const extract = async (archive: string): Promise<string> => {
    const { job } = await jobs.start({ kind: 'extract', entries: [`/${archive}`], to: '/t' })
    const { failures, renamed } = await jobs.reaches(job.id, 'ended')
    assert.deepEqual(failures, [], archive)
    return join(app.root, renamed[0]?.to ?? `t/${archive}`)
  }
  return { root: app.root, extract }
}

test('archives of standard programs are extracted to what was packed', { timeout: 600_000 }, async (t) => {
  for (const program of ['gzip', 'bzip2', 'xz', 'lz4', 'zstd'] as const) provide(program)
  const { root, extract } = await startExtracting(t)
  let count = 0
  for (const [kind, tree] of trees) {
    const folder = await temporaryFolder(t)
    await plant(folder, tree)
    const hasLinks = kind === 'links' || kind === 'both'
    if (hasLinks) {
      linkSync(join(folder, 'sizes/511'), join(folder, 'sizes/same'))
      chmodSync(join(folder, 'sizes/512'), 0o4555)
      utimesSync(join(folder, 'sizes/0'), 0, 946_684_800)
    }
    const wanted = described(folder)
    for (const { what, ending, lacks, pack } of packers) {
      if (!isFor(kind, lacks)) continue
      const archive = `${++count}${ending}`
      pack(folder, join(root, archive))
      const made = await extract(archive)
      assert.deepEqual(described(made), wanted, what)
      if (!hasLinks) continue
      const of = (path: string) => lstatSync(join(made, path))
      assert.deepEqual([of('sizes/512').mode & 0o7777, of('sizes/0').mtimeMs], [0o755, 946_684_800_000], what)
      assert.ok(of('l/to a file').isSymbolicLink() && of('l/to a folder').isSymbolicLink(), what)
    }
  }
  t.diagnostic(`${count} archives`)
  assert.ok(count >= byScale({ usual: packers.length, long: 40, full: 200 }), `${count} archives`)
})

test('files with holes are extracted with their zeros', async (t) => {
  const { root, extract } = await startExtracting(t)
  const folder = await temporaryFolder(t)
  const handle = openSync(join(folder, 'holes'), 'w')
  // More parts than the header has room for.
  for (let index = 0; index < 40; index++) writeSync(handle, `part ${index}`, index * 100_000)
  ftruncateSync(handle, 5_000_000)
  closeSync(handle)
  writeFileSync(join(folder, 'behind'), 'behind')
  const wanted = described(folder)
  for (const { what, ending, pack } of sparsePackers) {
    pack(folder, join(root, `${what}${ending}`))
    assert.ok(lstatSync(join(root, `${what}${ending}`)).size < 1_000_000, `${what} has no holes`)
    assert.deepEqual(described(await extract(`${what}${ending}`)), wanted, what)
  }
})

/** Made by `jar` of Java 17, which writes sums behind contents, and stored by it. */
for (const name of ['java.jar', 'java-stored.zip']) {
  test(`${name} comes out as it was packed`, async (t) => {
    const { root, extract } = await startExtracting(t)
    copyFileSync(fileURLToPath(new URL(`../archives/${name}`, import.meta.url)), join(root, name))
    const made = described(await extract(name))
    const { 'META-INF': _folder, 'META-INF/MANIFEST.MF': _manifest, ...files } = made
    const folder = await temporaryFolder(t)
    await plant(folder, { 'Größe 😀/a.txt': 'A', 'd/e/f': 'text '.repeat(1000), 'empty/': '', zero: '' })
    assert.deepEqual(files, described(folder))
  })
}
