// What is told of each change to whoever keeps it so that it can be undone.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Operation } from '../../src-server/base/operation.ts'
import { parsePath, rootPath } from '../../src-server/base/paths.ts'
import { CrossDevice, Disk } from '../../src-server/disk/disk.ts'
import { localDisk } from '../../src-server/disk/local-disk.ts'
import type { ChosenEntry } from '../../src-server/files/deeds.ts'
import { isSameObject } from '../../src-server/files/replaced.ts'
import type { UserFiles } from '../../src-server/files/user-files.ts'
import type { Change } from '../../src-server/state/history-store.ts'
import { body, brokenBody, capability, principal } from '../support/capabilities.ts'
import { nothingProtected, openDisk } from '../support/open-disk.ts'
import type { Tree } from '../support/tree.ts'
import { userFilesOn } from '../support/user-files.ts'

const plain = { override: false, rename: false }
const over = { override: true, rename: false }
const [a, b, d, e] = ['/a.txt', '/b.txt', '/d', '/e'].map(parsePath) as [never, never, never, never]
const at = (path: string) => parsePath(path)

type Told = Readonly<{ chosen: ChosenEntry; deed: Change }>
const nothingRemade = { presentIdentity: (was: string) => was, remade: async () => {} }

async function start(t: TestContext, files: Tree, scope = '/') {
  const { disk, root } = await openDisk(t, { files, options: () => ({ scope: parsePath(scope) }) })
  const told: Told[] = []
  const kept: ChosenEntry[] = []
  const deeds = {
    ...nothingRemade,
    note: (chosen: ChosenEntry, deed: Change) => void told.push({ chosen, deed }),
    kept: async (chosen: ChosenEntry) => void kept.push(chosen),
  }
  const source = { address: '', way: 'page', actKey: 'drop-0001' } as const
  const who = { ...principal(), scope: parsePath(scope) }
  return { disk, root, told, kept, files: userFilesOn(disk, { principal: who, deeds, source }) }
}

/** Without the traces, which say something about the disk. */
const short = ({ deed }: Told) => {
  const from = 'from' in deed ? ` from ${deed.from}` : ''
  const state = ('isGone' in deed && ' gone') || ('why' in deed && ` ${deed.why}`) || ''
  return `${deed.what} ${deed.at}${from}${state}`
}

const changes: readonly (readonly [name: string, work: (files: UserFiles) => Promise<unknown>, expected: readonly string[]])[] = [
  [
    'an upload into a new folder',
    (files) => files.upload(at('/n/m/x'), body('x'), over),
    ['folder /n', 'folder /n/m', 'entry /n/m/x'],
  ],
  ['an upload over a file', (files) => files.upload(a, body('x'), over), ['lost /a.txt forGood']],
  ['a save', (files) => files.save(a, body('x')), ['lost /a.txt forGood']],
  ['a save through a link', (files) => files.save(at('/link'), body('x')), ['lost /link throughLink']],
  ['new folders', (files) => files.makeFolder(at('/n/m')), ['folder /n', 'folder /n/m']],
  ['a folder that exists', (files) => files.makeFolder(d), []],
  ['a renamed file', (files) => files.move(a, at('/c'), plain), ['move /c from /a.txt']],
  ['a folder that is moved', (files) => files.move(d, at('/n/d'), plain), ['folder /n', 'move /n/d from /d']],
  ['a link that is moved', (files) => files.move(at('/link'), at('/l'), plain), ['move /l from /link']],
  ['a move over a file', (files) => files.move(a, b, over), ['lost /b.txt forGood', 'move /b.txt from /a.txt']],
  ['a merge of folders', (files) => files.move(d, e, over), ['move /e/x from /d/x', 'move /e/s from /d/s', 'folder /d gone']],
  ['a copied file', (files) => files.copy(a, at('/n/c'), plain), ['folder /n', 'entry /n/c']],
  ['a copied link', (files) => files.copy(at('/link'), at('/l'), plain), ['entry /l']],
  ['a copied folder', (files) => files.copy(d, at('/c'), plain), ['folder /c', 'folder /c/s', 'entry /c/s/y', 'entry /c/x']],
  ['a copy over a file', (files) => files.copy(a, b, over), ['lost /b.txt forGood']],
  ['a copy with a number', (files) => files.copy(a, a, { override: false, rename: true }), ['entry /a(1).txt']],
  ['a removal', (files) => files.remove(d), ['lost /d forGood']],
  ['an upload that breaks off', (files) => files.upload(at('/n/x'), brokenBody('x'), plain).catch(() => {}), ['folder /n']],
  ['a move that is refused', (files) => files.move(a, b, plain).catch(() => {}), []],
]

const tree: Tree = { 'a.txt': 'A', 'b.txt': 'B', 'd/x': 'X', 'd/s/y': 'Y', 'e/z': 'Z', link: { link: 'a.txt' } }

for (const [name, work, expected] of changes) {
  test(`what is told of ${name}`, async (t) => {
    const { files, told, kept } = await start(t, tree)
    await work(files)
    const isTree = /copied folder|merge/.test(name)
    const found = told.map(short)
    assert.deepEqual(isTree ? found.toSorted() : found, isTree ? expected.toSorted() : expected)
    assert.equal(new Set(told.map(({ chosen }) => chosen)).size, Math.min(1, told.length))
    if (told.length > 0) assert.equal(kept[0], told[0]?.chosen)
  })
}

test('the trace of a file is its version, that of folders and links what identifies them', async (t) => {
  const { disk, files, told } = await start(t, tree)
  const { version } = await files.upload(at('/x'), body('x'), plain)
  await files.move(at('/x'), at('/y'), plain)
  await files.move(d, at('/f'), plain)
  await files.move(at('/link'), at('/l'), plain)
  const traces = told.map(({ deed }) => 'trace' in deed && deed.trace)
  const identityOf = (path: string) => disk.identify(capability('read', path))
  const [folder, link] = [await identityOf('/f'), await identityOf('/l')]
  assert.notEqual(folder, link)
  assert.deepEqual(traces, [
    { identity: '', version },
    { identity: '', version },
    { identity: folder, version: '' },
    { identity: link, version: '' },
  ])
})

test('paths are those of the served root, and the act says what the person did', async (t) => {
  const { files, told } = await start(t, { 'home/a.txt': 'A' }, '/home')
  await files.upload(at('/n/x'), body('x'), plain)
  await files.move(at('/n/x'), at('/n/y'), plain)
  await files.move(at('/n/y'), at('/y'), plain)
  await files.copy(a, at('/c'), plain)
  await files.makeFolder(at('/g'))
  assert.deepEqual(
    told.map(({ chosen, deed }) => [chosen.kind, chosen.path, deed.at]),
    [
      ['upload', '/home/n/x', '/home/n'],
      ['upload', '/home/n/x', '/home/n/x'],
      ['rename', '/home/n/y', '/home/n/y'],
      ['move', '/home/y', '/home/y'],
      ['copy', '/home/c', '/home/c'],
      ['newFolder', '/home/g', '/home/g'],
    ],
  )
})

test('nothing is told of requests without an act', async (t) => {
  const { disk, root } = await openDisk(t, { files: tree })
  const deeds = { ...nothingRemade, note: () => assert.fail('told'), kept: async () => assert.fail('kept') }
  await userFilesOn(disk, { deeds }).move(a, at('/c'), plain)
  assert.ok((await readdir(root)).includes('c'))
})

test('a folder is noted before what another entry of the act makes in it at the same time', async (t) => {
  const { told, files } = await start(t, {})
  const { identify } = Disk.prototype
  let other: Promise<unknown> | undefined
  t.mock.method(Disk.prototype, 'identify', async function (this: Disk, ...asked: Parameters<Disk['identify']>) {
    const identity = await identify.apply(this, asked)
    if (other) return identity
    // It is made, and not noted yet.
    other = files.makeFolder(at('/new/below'))
    for (let turn = 0; turn < 200; turn++) await setImmediate()
    return identity
  })
  await files.makeFolder(at('/new/first'))
  await other
  const order = told.map(short)
  assert.equal(order[0], 'folder /new')
  assert.deepEqual(order.toSorted(), ['folder /new', 'folder /new/below', 'folder /new/first'])
})

/** The files of an operation that is stopped amid a call of its disk, before or after that has acted. */
async function startStopping(t: TestContext, stops: (operation: Operation) => unknown, call: 'move' | 'makeFolder' | 'remove') {
  const { root } = await openDisk(t, { files: tree })
  const operation = new Operation()
  const disk = localDisk({ root, scope: rootPath, protectedPaths: nothingProtected, linksInto: [], signal: operation.signal })
  operation.own({ close: () => disk.close() })
  t.after(() => operation.end())
  const told: Told[] = []
  const deeds = {
    ...nothingRemade,
    note: (chosen: ChosenEntry, deed: Change) => void told.push({ chosen, deed }),
    kept: async () => {},
  }
  const files = userFilesOn(disk, { deeds, operation, source: { address: '', way: 'job', actKey: 'job-0001' } })
  const stop = (when: 'before' | 'after') => {
    const acts = Disk.prototype[call] as (...asked: unknown[]) => Promise<void>
    t.mock.method(Disk.prototype, call, async function (this: Disk, ...asked: unknown[]) {
      if (when === 'before') await stops(operation)
      await acts.apply(this, asked)
      if (when === 'after') await stops(operation)
    })
  }
  return { root, files, told, stop }
}

const stoppings = {
  'is stopped': (operation: Operation) => operation.abort(),
  'has ended': (operation: Operation) => operation.end(),
}

for (const [how, stops] of Object.entries(stoppings)) {
  for (const [what, call, work] of [
    ['a folder that was moved', 'move', (files: UserFiles) => files.move(d, at('/f'), plain)],
    ['a link that was moved', 'move', (files: UserFiles) => files.move(at('/link'), at('/f'), plain)],
    ['a folder that was made', 'makeFolder', (files: UserFiles) => files.makeFolder(at('/f'))],
  ] as const) {
    test(`${what} is noted as it is when the work ${how} just then`, async (t) => {
      const { root, files, told, stop } = await startStopping(t, stops, call)
      stop('after')
      await work(files).catch(() => {})
      const { disk } = await openDiskAt(t, root)
      const identity = await disk.identify(capability('read', '/f'))
      assert.deepEqual(
        told.map(({ deed }) => 'trace' in deed && deed.trace),
        [{ identity, version: '' }],
      )
    })
  }

  test(`a file that went to another device is noted as it is there when the work ${how} just then`, async (t) => {
    const { root, files, told, stop } = await startStopping(t, stops, 'remove')
    t.mock.method(Disk.prototype, 'move', async () => {
      throw new CrossDevice()
    })
    stop('after')
    await files.move(a, at('/f'), plain).catch(() => {})
    const { disk } = await openDiskAt(t, root)
    const { version } = await disk.stat(capability('read', '/f'))
    assert.deepEqual(
      told.map(({ deed }) => 'trace' in deed && deed.trace),
      [{ identity: '', version }],
    )
  })

  test(`a move that was noted before it was made is taken back when the work ${how} just before it`, async (t) => {
    const { files, told, stop } = await startStopping(t, stops, 'move')
    stop('before')
    await files.move(d, e, over).catch(() => {})
    const [first] = told.map(short)
    assert.deepEqual(told.map(short), [first, first?.replace('move', 'notMoved')])
  })
}

async function openDiskAt(t: TestContext, root: string) {
  const disk = localDisk({ root, scope: rootPath, protectedPaths: nothingProtected, linksInto: [] })
  t.after(() => disk.close())
  return { disk }
}

test('an object is known again where its device has another number since the machine was started', () => {
  assert.equal(isSameObject('39:12:1795', '41:12:1795'), true)
  assert.equal(isSameObject(':12:1795', ':12:1796'), false)
  assert.equal(isSameObject('39:12:1795', '39:13:1795'), false)
  assert.equal(isSameObject('39:12:0', '41:12:0'), false)
  assert.equal(isSameObject('', ''), false)
})
