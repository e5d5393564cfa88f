// Power cuts and full disks, at every step of every change.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { fstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { rootPath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import type { DiskSystem } from '../../src-server/disk/system.ts'
import { isTemporaryName } from '../../src-server/disk/temporary-names.ts'
import { body, capability } from '../support/capabilities.ts'
import { FaultyDisk, type Survives } from '../support/faulty-disk.ts'
import { harvest, plant, type Tree, temporaryFolder } from '../support/tree.ts'

const protectedPaths = ProtectedPaths.of({ stateFile: '/nowhere/holdall.json', files: [], folders: [] })
const addOnly = { replace: false }
const replacing = { replace: true }
const survivals: Survives[] = ['nothing', 'names']

/** One change of a small tree. Before and after are all that may ever be seen, but for steps in between that are named. */
type Case = Readonly<{
  name: string
  change(disk: Disk): Promise<unknown>
  before: Tree
  after: Tree
  /** States in between that lose nothing. */
  between?: readonly Tree[]
  /** As on a file system where no file has two names. */
  withoutLinks?: boolean
}>

const cases: Case[] = [
  {
    name: 'uploading a new file',
    change: (disk) => disk.write(capability('create', '/d/new'), body('new ', 'content'), addOnly),
    before: { 'd/old': 'old' },
    after: { 'd/old': 'old', 'd/new': 'new content' },
  },
  {
    name: 'replacing a file',
    change: (disk) => disk.write(capability('modify', '/d/old'), body('new ', 'content'), replacing),
    before: { 'd/old': 'old' },
    after: { 'd/old': 'new content' },
  },
  {
    name: 'replacing what a link leads to',
    change: (disk) => disk.write(capability('modify', '/link'), body('new'), replacing),
    before: { 'd/old': 'old', link: { link: 'd/old' } },
    after: { 'd/old': 'new', link: { link: 'd/old' } },
  },
  {
    name: 'uploading a new file where no file has two names',
    change: (disk) => disk.write(capability('create', '/d/new'), body('new'), addOnly),
    before: { 'd/old': 'old' },
    after: { 'd/old': 'old', 'd/new': 'new' },
    // The name is taken by an empty file before it is replaced: the one thing such a file system cannot do in one step.
    between: [{ 'd/old': 'old', 'd/new': '' }],
    withoutLinks: true,
  },
  {
    name: 'making a folder',
    change: (disk) => disk.makeFolder(capability('create', '/d/new')),
    before: { 'd/old': 'old' },
    after: { 'd/old': 'old', 'd/new/': '' },
  },
  {
    name: 'copying a link',
    change: (disk) => disk.copyLink(capability('download', '/link'), capability('create', '/d/link')),
    before: { 'd/old': 'old', link: { link: 'd' } },
    after: { 'd/old': 'old', 'd/link': { link: 'd' }, link: { link: 'd' } },
  },
  {
    name: 'moving a file within a folder',
    change: (disk) => disk.move(capability('rename', '/d/old'), capability('rename', '/d/new'), addOnly),
    before: { 'd/old': 'old' },
    after: { 'd/new': 'old' },
    between: [{ 'd/old': 'old', 'd/new': 'old' }],
  },
  {
    name: 'moving a file to another folder',
    change: (disk) => disk.move(capability('rename', '/d/old'), capability('rename', '/e/new'), addOnly),
    before: { 'd/old': 'old', 'e/x': '' },
    after: { 'd/': '', 'e/new': 'old', 'e/x': '' },
    between: [{ 'd/old': 'old', 'e/new': 'old', 'e/x': '' }],
  },
  {
    name: 'moving a file over another',
    change: (disk) => disk.move(capability('rename', '/d/old'), capability('rename', '/e/x'), replacing),
    before: { 'd/old': 'old', 'e/x': 'x' },
    after: { 'd/': '', 'e/x': 'old' },
    between: [{ 'd/old': 'old', 'e/x': 'old' }],
  },
  {
    name: 'moving a folder to another',
    change: (disk) => disk.move(capability('rename', '/d'), capability('rename', '/e/d'), addOnly),
    before: { 'd/old': 'old', 'e/x': '' },
    after: { 'e/d/old': 'old', 'e/x': '' },
    between: [
      { 'd/old': 'old', 'e/d/': '', 'e/x': '' },
      { 'd/old': 'old', 'e/d/old': 'old', 'e/x': '' },
    ],
  },
  {
    name: 'removing a file',
    change: (disk) => disk.remove(capability('delete', '/d/old')),
    before: { 'd/old': 'old' },
    after: { 'd/': '' },
  },
]

for (const a of cases) {
  test(`${a.name}: whatever a power cut takes, all is as before or as after`, async (t) => {
    for (let step = 0; ; step++) {
      const { faulty, root } = await startCase(t, a)
      faulty.crashAt(step)
      const isDone = await attempt(faulty, a, root)
      for (const survives of survivals) {
        const left = await leftBy(t, faulty, survives)
        const allowed = isDone ? [a.after] : [a.before, a.after, ...(a.between ?? [])]
        assertOneOf(left, allowed, `${survives} survives a cut before call ${step}: ${faulty.calls.join(', ')}`)
      }
      faulty.close()
      if (isDone) break
    }
  })

  for (const code of ['ENOSPC', 'EIO']) {
    test(`${a.name}: with ${code} at any step all is as before or as after, and nothing else is left`, async (t) => {
      for (let step = 0; ; step++) {
        const { faulty, root } = await startCase(t, a)
        faulty.failAt(step, code)
        const outcome = await attempt(faulty, a, root)
        assertOneOf(withoutTemporaries(await harvest(root)), [a.before, a.after], `${code} at ${faulty.calls[step]}`)
        faulty.close()
        if (outcome && faulty.calls.length <= step) break
      }
    })
  }
}

test('a full disk is reported as such, and the temporary file is removed', async (t) => {
  const replacingFile = cases[1] as Case
  for (let step = 0; ; step++) {
    const { faulty, root } = await startCase(t, replacingFile)
    faulty.failAt(step, 'ENOSPC')
    const disk = await openDisk(root, faulty.system)
    const outcome = await replacingFile.change(disk).catch((error: unknown) => error as { code?: string })
    disk.close()
    faulty.close()
    if (faulty.calls.length <= step) break
    assert.equal((outcome as { code?: string }).code, 'full', faulty.calls[step])
    const isNamed = faulty.calls.slice(0, step).some((call) => call.startsWith('rename'))
    assert.deepEqual(await harvest(root), isNamed ? replacingFile.after : replacingFile.before, faulty.calls[step])
  }
})

for (const [what, spoilt] of [
  ['syncs no file', (system: DiskSystem) => ({ ...system, sync: async (fd: number) => syncOnly(system, fd, 'folder') })],
  ['syncs no folder', (system: DiskSystem) => ({ ...system, sync: async (fd: number) => syncOnly(system, fd, 'file') })],
] as const) {
  test(`these tests would notice a server that ${what}`, async (t) => {
    const upload = cases[0] as Case
    const { faulty, root } = await startCase(t, upload)
    const disk = await openDisk(root, spoilt(faulty.system))
    await upload.change(disk)
    disk.close()
    assert.notDeepEqual(await leftBy(t, faulty, 'nothing'), upload.after)
    faulty.close()
  })
}

async function syncOnly(system: DiskSystem, fd: number, kind: 'file' | 'folder') {
  if (fstatSync(fd).isDirectory() === (kind === 'folder')) await system.sync(fd)
}

test('an upload writes, syncs, names, and syncs the folder, in this order', async (t) => {
  for (const [index, owner, naming] of [
    [0, [], ['link d/PART d/new', 'unlink d/PART']],
    [1, ['setOwner d/PART', 'setOwner d/PART'], ['rename d/PART d/old']],
  ] as const) {
    const a = cases[index] as Case
    const { faulty, root } = await startCase(t, a)
    assert.ok(await attempt(faulty, a, root))
    const calls = faulty.calls.map((call) => call.replace(/\.holdall-[0-9a-f]{32}\.part/, 'PART'))
    assert.deepEqual(calls, [
      'open d/PART',
      'write d/PART',
      ...owner,
      'setMode d/PART',
      'setTimes d/PART',
      'sync d/PART',
      'close d/PART',
      ...naming,
      'open d',
      'sync d',
      'close d',
    ])
    faulty.close()
  }
})

test('a move syncs the new name before it removes the old one', async (t) => {
  const moving = cases.find(({ name }) => name === 'moving a file to another folder') as Case
  const { faulty, root } = await startCase(t, moving)
  assert.ok(await attempt(faulty, moving, root))
  const changes = faulty.calls.filter((call) => !/^(open|close) /.test(call))
  assert.deepEqual(changes, ['link d/old e/new', 'sync e', 'unlink d/old', 'sync e', 'sync d'])
  faulty.close()
})

async function startCase(t: TestContext, { before }: Case) {
  const root = join(await temporaryFolder(t), 'root')
  mkdirSync(root)
  await plant(root, before)
  return { root, faulty: new FaultyDisk(root) }
}

/** Whether the change was said to be done. */
async function attempt(faulty: FaultyDisk, { change, withoutLinks }: Case, root: string) {
  const disk = await openDisk(root, withoutLinks ? { ...faulty.system, link: refuse } : faulty.system)
  try {
    await change(disk)
    return true
  } catch (error) {
    assert.match(String((error as Error).cause ?? error), /simulated failure/)
    return false
  } finally {
    disk.close()
  }
}

async function refuse(): Promise<never> {
  throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM', syscall: 'link' })
}

function openDisk(root: string, system: DiskSystem) {
  return openLocalDisk({ root, scope: rootPath, protectedPaths, linksInto: [], system })
}

async function leftBy(t: TestContext, faulty: FaultyDisk, survives: Survives) {
  const into = join(await temporaryFolder(t), 'left')
  faulty.afterPowerCut(into, survives)
  return withoutTemporaries(await harvest(into))
}

/** A folder with nothing but a part in it is empty to everybody. */
function withoutTemporaries(tree: Awaited<ReturnType<typeof harvest>>) {
  const names = Object.keys(tree)
  const isPart = (path: string) => isTemporaryName(path.slice(path.lastIndexOf('/') + 1))
  const shown = Object.fromEntries(Object.entries(tree).filter(([path]) => !isPart(path)))
  for (const part of names.filter(isPart)) {
    const folder = part.slice(0, part.lastIndexOf('/') + 1)
    if (folder !== '' && !Object.keys(shown).some((path) => path.startsWith(folder))) shown[folder] = ''
  }
  return shown
}

function assertOneOf(found: object, allowed: readonly Tree[], message: string) {
  const matches = allowed.some((tree) => JSON.stringify(sorted(tree)) === JSON.stringify(sorted(found)))
  assert.ok(matches, `${message}\nfound ${JSON.stringify(found)}`)
}

function sorted(tree: object) {
  return Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1))
}
