// The licences that come with the executable: of every package, of what these hold, of Node, fonts and icons.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { nativePackages } from '../../build.ts'
import { makeNotices } from '../../scripts/notices.ts'

test('the licences of packages, Node, fonts, icons and the libraries of libvips are there', async () => {
  const notices = await makeNotices(resolve(import.meta.dirname, '../..'), nativePackages)
  const named = [
    'react 1',
    'fastify 5',
    'lowdb 7',
    'argon2 0',
    'node-pty 1',
    'wouter 3',
    '@tabler/icons-react 3',
    `node-linux-${process.arch} 24`,
  ]
  for (const name of named) assert.ok(notices.includes(`\n  ${name}`), name)
  // One passage of each: LGPL, its table of libraries, GPL, the licence of Node, its ICU, two fonts of pdf.js, the icons.
  const passages = [
    ...[
      'GNU LESSER GENERAL PUBLIC LICENSE',
      '| librsvg       | LGPLv3',
      'GNU GENERAL PUBLIC LICENSE',
      'Copyright Node.js contributors',
    ],
    ...['UNICODE LICENSE V3', 'LIBERATION FONT SOFTWARE', 'PDFium Authors', 'Paweł Kuna', 'bzip2'],
  ]
  for (const passage of passages) assert.ok(notices.includes(passage), passage)
})

test('a package without a licence stops the build, also one that another needs', async (t) => {
  const folder = await project(t, {
    'src-ui/a.tsx': "import { b } from '@own/b'\nimport type { x } from 'only-types'\nimport './c.ts'",
    'node_modules/@own/b/package.json':
      '{ "name": "@own/b", "version": "1.0.0", "license": "MIT", "dependencies": { "c": "1" } }',
    'node_modules/@own/b/LICENSE.md': 'the licence of b',
    'node_modules/c/package.json': '{ "name": "c", "version": "2.0.0", "license": "MIT" }',
  })
  await assert.rejects(makeNotices(folder, []), /c has no licence: add its text to scripts\/licenses\//)
  await write(folder, { 'scripts/licenses/c.txt': 'the licence of c' })
  const notices = await makeNotices(folder, [])
  assert.match(notices, /\n {2}@own\/b 1\.0\.0: MIT\n {2}c 2\.0\.0: MIT\n/)
  assert.match(notices, /\n@own\/b 1\.0\.0\n-+\nthe licence of b\n/)
  assert.match(notices, /\nc 2\.0\.0\n-+\nthe licence of c\n/)
})

test('the binary of a native package has the licence of that package, and those of other systems are left out', async (t) => {
  const folder = await project(t, {
    'node_modules/zip/package.json':
      '{ "name": "zip", "version": "1.0.0", "license": "MIT", "optionalDependencies": { "@own/zip-linux-x64": "1", "@own/zip-win32-x64": "1" } }',
    'node_modules/zip/LICENSE': 'the licence of zip',
    'node_modules/@own/zip-linux-x64/package.json': '{ "name": "@own/zip-linux-x64", "version": "1.0.0", "license": "MIT" }',
  })
  assert.match(await makeNotices(folder, ['zip']), /zip 1\.0\.0\n(?:.*\n)*?@own\/zip-linux-x64 1\.0\.0\n-+\nthe licence of zip/)
})

async function project(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-notices-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await write(folder, files)
  return folder
}

async function write(folder: string, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}
