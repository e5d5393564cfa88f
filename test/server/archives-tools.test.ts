// Standard programs unpack every format to the same files, byte for byte.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { unpack, unpackers } from '../support/archive-tools.ts'
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

for (const [format, tools] of Object.entries(unpackers))
  for (const tool of Object.keys(tools))
    test(`${tool} unpacks ${format} to the same files`, async (t) => {
      const below = await temporaryFolder(t)
      const answer = await ann.raw('/', `algo=${format}`)
      const archive = join(below, 'archive')
      writeFileSync(archive, new Uint8Array(await answer.arrayBuffer()))
      const folder = unpack(format, tool, archive, below)
      const compared = tool === 'bsdtar' ? withoutTwins : (files: Record<string, string>) => files
      assert.deepEqual(compared(described(folder)), compared(described(app.root, format === 'zip')))
      assert.equal(lstatSync(join(folder, 'sizes/text')).mtimeMs, 1_600_000_300_000)
    })

/** Path → digest of a file, or 'folder'. @param isZip whether a backslash becomes `_` */
function described(folder: string, isZip = false): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const shown = path.slice(folder.length + 1)
    return [isZip ? shown.replaceAll('\\', '_') : shown, entry.isDirectory() ? 'folder' : digest(path)]
  })
  return Object.fromEntries(entries.sort())
}

/** bsdtar composes names (NFC), so that of two names that look alike one replaces the other. */
function withoutTwins(files: Record<string, string>) {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.normalize('NFC').includes('caf\u00e9')))
}

function digest(file: string) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
