// Finds each kind of problem. The project itself is checked by `npm run check`.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { shapeProblems } from '../../scripts/check-shape.ts'

/** A correct tree with one file in each module that the cases name. */
const correct: Record<string, string> = {
  'src-server/access/authorize.ts': 'export class Capability {}\nexport const authorize = () => new Capability()',
  'src-server/base/paths.ts': `export const path = '/'`,
  'src-server/events/events.ts': 'export const events = []',
  'src-server/files/user-files.ts': `import { authorize } from '../access/authorize.ts'\nexport const capability = authorize()`,
  'src-server/disk/local-disk.ts': `import { open } from 'node:fs/promises'\nexport { open }`,
  'src-server/contract/endpoints.ts': 'export type Reply = string\nexport const endpoints = {}',
  'src-ui/api/http.ts': `import type { Reply } from '../../src-server/contract/endpoints.ts'\nexport const call = (): Promise<Response> => fetch('/' satisfies Reply)`,
  'src-ui/uploads/queue.ts': 'export const queue = []',
  'src-ui/core/listing.ts': `import { call } from '../api/http.ts'\nexport { call }`,
}

const cases: readonly (readonly [file: string, source: string, sentence: string])[] = [
  [
    'src-ui/core/a.ts',
    `import { authorize } from '../../src-server/access/authorize.ts'\nauthorize()`,
    'must not import src-server/access/authorize.ts',
  ],
  [
    'src-ui/core/b.ts',
    `import type { authorize } from '../../src-server/access/authorize.ts'\nexport type A = typeof authorize`,
    'must not name the server beyond src-server/contract',
  ],
  [
    'src-ui/api/c.ts',
    `import { endpoints } from '../../src-server/contract/endpoints.ts'\nexport { endpoints }`,
    'must not import src-server/contract/endpoints.ts',
  ],
  ['src-ui/api/d.ts', `import '../../src-server/contract/endpoints.ts'`, 'must not import src-server/contract/endpoints.ts'],
  [
    'src-ui/api/e.ts',
    `export const late = () => import('../../src-server/contract/endpoints.ts')`,
    'must not import src-server/contract/endpoints.ts',
  ],
  ['src-ui/core/f.ts', `import { readFileSync } from 'node:fs'\nreadFileSync('/')`, 'must not import node:fs'],
  ['src-ui/core/g.ts', `export const load = () => fetch('/api')`, 'must not use the network: src-ui/api does'],
  ['src-ui/core/h.ts', `document.addEventListener('keydown', () => {})`, 'must not listen for keys: core/keyboard.ts does'],
  ['src-ui/api/i.ts', `import '../core/listing.ts'`, 'must not import src-ui/core/listing.ts'],
  ['src-ui/ui/j.ts', `import { queue } from '../uploads/queue.ts'\nexport { queue }`, 'must not import src-ui/uploads/queue.ts'],
  ['src-server/files/k.ts', `export const read = () => import('node:fs')`, 'must not import node:fs'],
  ['src-server/files/l.ts', `import 'fs/promises'`, 'must not import fs/promises'],
  ['src-server/files/m.ts', `export * from 'node:fs'`, 'must not import node:fs'],
  [
    'src-server/api/n.ts',
    `import { open } from '../disk/local-disk.ts'\nopen('/')`,
    'must not import src-server/disk/local-disk.ts',
  ],
  [
    'src-server/api/n2.ts',
    `import type { open } from '../disk/local-disk.ts'\nexport type O = typeof open`,
    'must not import src-server/disk/local-disk.ts',
  ],
  [
    'src-server/files/n3.ts',
    `import type {\n  FastifyReply,\n} from 'fastify'\nexport type R = FastifyReply`,
    'must not import fastify',
  ],
  ['src-server/base/o.ts', `export * from '../files/user-files.ts'`, 'must not import src-server/files/user-files.ts'],
  ['src-server/access/p.ts', `import '../events/events.ts'`, 'must not import src-server/events/events.ts'],
  ['src-server/files/q.ts', `import { spawn } from 'node:child_process'\nspawn('sh')`, 'must not import node:child_process'],
  ['src-server/api/r.ts', `import { spawn } from 'node-pty'\nspawn('sh', [], {})`, 'must not import node-pty'],
  ['src-server/users/s.ts', `import fastify from 'fastify'\nfastify()`, 'must not import fastify'],
  ['src-server/files/t.ts', `import files from '@fastify/static'\nfiles`, 'must not import @fastify/static'],
  ['src-server/files/u.ts', `import { Module } from 'node:module'\nModule`, 'must not import node:module'],
  ['src-server/files/v.ts', `export const fs = process.getBuiltinModule('fs')`, 'must not use getBuiltinModule'],
  ['src-server/files/w.ts', `export const fs = createRequire('/')('fs')`, 'must not use createRequire'],
  ['src-server/files/x.ts', `export const fs = require('fs')`, 'must not use require()'],
  [
    'src-server/files/y.ts',
    `const name = 'node:' + 'fs'\nexport const fs = import(name)`,
    'must not use import() of a computed name',
  ],
  [
    'src-server/files/z.ts',
    `export const fs = (name: string) => import(\`node:\${name}\`)`,
    'must not use import() of a computed name',
  ],
  [
    'src-server/files/aa.ts',
    `export const fs = (process as never as { binding: (name: string) => unknown }).binding('fs')`,
    'must not use process.binding or process.dlopen',
  ],
  ['src-server/files/ab.ts', `export const one = eval('1')`, 'must not use eval()'],
  ['src-server/files/ac.ts', `export const one = new Function('return 1')`, 'must not use new Function'],
  [
    'src-server/files/ad.ts',
    `import type { Capability } from '../access/authorize.ts'\nexport const forged = {} as Capability`,
    'must not use as Capability',
  ],
  [
    'src-server/files/ae.ts',
    `import type { Capability } from '../access/authorize.ts'\nexport const forged = {} as unknown as Capability`,
    'must not use as Capability',
  ],
  [
    'src-server/files/af.ts',
    `import { Capability } from '../access/authorize.ts'\nexport const forged = Object.create(Capability.prototype)`,
    'must not use Capability.prototype',
  ],
  [
    'src-server/files/ag.ts',
    `import { Capability } from '../access/authorize.ts'\nexport const forged = new Capability()`,
    'must not make a capability: authorize() does',
  ],
  ...[
    'export const first = (state: any) => state.data.users[0]',
    'export const first = (parts: any) => parts.state.data.users[0]',
    'type State = any\nexport const first = ({ data }: State) => data.users[0]',
    'export function first(parts: any) {\n  const { data } = parts.state\n  return data.users[0]\n}',
    `type State = any\nexport type Parts = Pick<State, 'feed' | 'data'>`,
  ].map((source, index): [string, string, string] => [
    `src-server/people/state-${index}.ts`,
    source,
    'must not read the records of the state: its methods do',
  ]),
  ['src-server/helpers/ah.ts', 'export const one = 1', 'is in no module: scripts/layers.ts lists them'],
  ['src-server/files/ai.ts', `import '../gone.ts'`, 'Could not resolve "../gone.ts"'],
  ['test/server/aj.test.ts', '\n'.repeat(401), 'has 401 lines: 400 is the most that one file may have'],
]

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdall-shape-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function tree(name: string, files: Record<string, string>): Promise<string> {
  for (const [file, source] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name, file)), { recursive: true })
    await writeFile(join(folder, name, file), source)
  }
  return join(folder, name)
}

test('a correct tree has no problem', async () => {
  assert.deepEqual(await shapeProblems(await tree('correct', correct)), [])
})

test('a short file that one other imports is a fragment of it', async () => {
  const files = { 'src-server/files/am.ts': 'export const am = 1', 'src-server/files/an.ts': `import './am.ts'` }
  const cwd = await tree('fragments', { ...correct, ...files })
  assert.match(
    String(await shapeProblems(cwd)),
    /^src-server\/files\/am.ts has 0 lines and belongs into src-server\/files\/an.ts/,
  )
  await tree('fragments', { 'src-server/files/ao.ts': `import './am.ts'` })
  assert.deepEqual(await shapeProblems(cwd), [])
})

for (const [file, source, sentence] of cases)
  test(`${file} ${sentence}`, async () => {
    const found = await shapeProblems(await tree(file.replaceAll('/', '-'), { ...correct, [file]: source }))
    assert.ok(
      found.some((problem) => problem.startsWith(file) && problem.includes(sentence)),
      `expected "${file} ${sentence}", found ${JSON.stringify(found)}`,
    )
  })
