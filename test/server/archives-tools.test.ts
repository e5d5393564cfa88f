// Standard programs unpack every format to the same files, byte for byte.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { lstatSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { described, unpack, unpackers, withoutTwins } from '../support/archive-tools.ts'
import { nastyNames } from '../support/nasty-names.ts'
import { startApp } from '../support/start-app.ts'
import { temporaryFolder } from '../support/tree.ts'

const app = await startApp(
  { after },
  {
    files: {
      ...Object.fromEntries(nastyNames.map((name) => [`names/${name}`, name])),
      ...Object.fromEntries(nastyNames.map((name) => [`folders/${name}/${name}`, name])),
      'deep/empty/': '',
      'deep/a/b/c/d/e/f/g/h/i/j/long name that makes the whole path longer than the hundred bytes of a plain tar header.txt': 'x',
      'sizes/0': '',
      'sizes/1': '1',
      'sizes/511': randomBytes(511),
      'sizes/512': randomBytes(512),
      'sizes/text': 'A line of text.\n'.repeat(200_000),
      'sizes/noise': randomBytes(5_000_001),
      'sizes/noise.mp4': randomBytes((1 << 20) + 1),
      'sizes/long runs': Buffer.alloc(3_000_000),
    },
  },
)
utimesSync(join(app.root, 'sizes/text'), 0, 1_600_000_300)
const ann = await app.as('ann')

const folder = await temporaryFolder({ after })

for (const [format, tools] of Object.entries(unpackers)) {
  const archive = join(folder, format)
  /** Packed once, by the first of its tests: some formats take long. */
  let packed: Promise<void> | undefined
  const pack = async () => {
    const answer = await ann.raw('/', `algo=${format}`)
    writeFileSync(archive, new Uint8Array(await answer.arrayBuffer()))
  }
  for (const tool of Object.keys(tools))
    test(`${tool} unpacks ${format} to the same files`, async (t) => {
      packed ??= pack()
      await packed
      const unpacked = unpack(format, tool, archive, await temporaryFolder(t))
      const compared = tool === 'bsdtar' ? withoutTwins : (files: Record<string, string>) => files
      assert.deepEqual(compared(described(unpacked)), compared(described(app.root, format === 'zip')))
      assert.equal(lstatSync(join(unpacked, 'sizes/text')).mtimeMs, 1_600_000_300_000)
    })
}
