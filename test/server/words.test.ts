// Finds each kind of problem. The project itself is checked by `npm run check`.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { wordProblems } from '../../scripts/check-words.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdall-words-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function write(file: string, source: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), source)
}

test('a declaration under a replaced name is found, in every form', async () => {
  const forms = [
    'const old = 1',
    'export function old() {}',
    'type old = 1',
    'class A {\n  old() {\n  }\n}',
    'class A {\n  #old = 1\n}',
  ]
  const rows = [['src-ui/a/**', 'old', 'current']] as const
  for (const source of forms) {
    await write('src-ui/a/b.ts', source)
    assert.deepEqual(await wordProblems(folder, rows), ['src-ui/a/b.ts declares old: the name is current'], source)
  }
})

test('a use, a comment and a declaration in another folder are not found', async () => {
  await write('src-ui/a/b.ts', "// const old = 1\nimport { old } from './c.ts'\nold()\nconst older = old.old")
  await write('src-ui/c/d.ts', 'export const old = 1')
  assert.deepEqual(await wordProblems(folder, [['src-ui/a/**', 'old', 'current']]), [])
})

test('a file at a replaced path is found', async () => {
  await write('src-ui/late-menu.ts', '')
  await write('src-ui/state/a.ts', '')
  const rows = [
    ['src-ui/**', 'src-ui/**/late-*', 'lazy-*'],
    ['src-ui/**', 'src-ui/state/', 'core/'],
  ] as const
  assert.equal((await wordProblems(folder, rows)).length, 2)
})
