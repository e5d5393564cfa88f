// Finding names in a tree that changes, that cannot be read, or that is very deep or large.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Disk, FindHow } from '../../src-server/disk/disk.ts'
import { descriptorStrategy, type HandleStrategy, type PathHandle, pathStrategy } from '../../src-server/disk/path-handle.ts'
import { capability } from '../support/capabilities.ts'
import { openBelow } from '../support/open-below.ts'
import { openDisk } from '../support/open-disk.ts'
import { plant } from '../support/tree.ts'
import { until } from '../support/until.ts'

const all: FindHow = { isWanted: () => true, signal: new AbortController().signal }

async function pathsFound(disk: Disk, how: Partial<FindHow> = {}): Promise<string[]> {
  const batches = await Array.fromAsync(disk.find(capability('read', '/'), { ...all, ...how }))
  return batches
    .flat()
    .map(({ path }) => path)
    .sort()
}

type Watching = { strategy?: HandleStrategy; onOpen?(address: string): void; change?(handle: PathHandle): PathHandle }

/** A strategy that tells what it opens, and may change what it opened. */
function watched({ strategy = descriptorStrategy, onOpen = () => {}, change = (handle) => handle }: Watching): HandleStrategy {
  const openPath = async (address: string | Buffer) => {
    onOpen(String(address))
    return change(await strategy.openPath(address))
  }
  return { ...strategy, openPath }
}

for (const [system, strategy] of Object.entries({ Linux: descriptorStrategy, 'other systems': pathStrategy })) {
  test(`a folder that becomes a link before it is opened is not entered on ${system}`, async (t) => {
    const { disk, root } = await openDisk(t, {
      files: { 'swapped/f': '', 'kept/g': '' },
      outside: { secret: '' },
      options: ({ outside, root }) => ({
        strategy: watched({
          strategy,
          onOpen(address) {
            if (!address.endsWith('/swapped')) return
            fs.rmSync(join(root, 'swapped'), { recursive: true })
            fs.symlinkSync(outside, join(root, 'swapped'))
          },
        }),
      }),
    })
    assert.deepEqual(await pathsFound(disk, { isWanted: (_, kind) => kind === 'file' }), ['/kept/g'])
    assert.ok(fs.lstatSync(join(root, 'swapped')).isSymbolicLink())
  })
}

test('a folder that has gone is empty, and one that cannot be read is told', async (t) => {
  const { disk } = await openDisk(t, {
    files: { 'gone/f': '', 'closed/g': '', 'open/h': '' },
    options: ({ root }) => ({
      strategy: watched({
        onOpen(address) {
          if (address.endsWith('/gone')) fs.rmSync(join(root, 'gone'), { recursive: true })
          if (address.endsWith('/closed')) throw Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' })
        },
      }),
    }),
  })
  let unread = 0
  const found = await pathsFound(disk, { isWanted: (_, kind) => kind === 'file', onUnread: () => unread++ })
  assert.deepEqual([found, unread], [['/open/h'], 1])
})

test('a shortage of handles is no unreadable folder', async (t) => {
  const onOpen = (address: string) => {
    if (address.endsWith('/d')) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'open' })
  }
  const shortage = watched({ onOpen })
  const { disk } = await openDisk(t, { files: { 'd/f': '' }, options: () => ({ strategy: shortage }) })
  await assert.rejects(pathsFound(disk), { code: 'busy' })
})

test('names that are not UTF-8 are found as listings show them, and temporary files are not', async (t) => {
  const { disk, root } = await openDisk(t, { files: { 'd/f': '' } })
  fs.writeFileSync(Buffer.from(`${root}/d/bad\xff.txt`, 'latin1'), '')
  fs.mkdirSync(Buffer.from(`${root}/d/worse\xff`, 'latin1'))
  fs.writeFileSync(join(root, 'd', `.holdall-${'0'.repeat(32)}.part`), '')
  const entries = (await Array.fromAsync(disk.find(capability('read', '/d'), all))).flat()
  const names = entries.map(({ name, unreachable = '' }) => `${name} ${unreachable}`)
  assert.deepEqual(names.sort(), ['bad\ufffd.txt name', 'f ', 'worse\ufffd name'])
})

test('a large folder is read in parts, and nothing is lost or doubled', async (t) => {
  const large = (handle: PathHandle) => ({ ...handle, stats: Object.assign(Object.create(handle.stats), { size: 1n << 30n }) })
  const { disk, root } = await openDisk(t, { files: { 'large/': '' }, options: () => ({ strategy: watched({ change: large }) }) })
  const names = Array.from({ length: 2500 }, (_, index) => `f${index}`)
  for (const name of names) fs.writeFileSync(join(root, 'large', name), '')
  await plant(join(root, 'large'), { 'inner/é': '' })
  const wanted = [...names, 'inner', 'inner/é'].map((name) => `/large/${name}`).concat('/large')
  assert.deepEqual(await pathsFound(disk), wanted.sort())
})

describe('open folders', () => {
  // Node lists names in their order, and the last folder is read first: others of each level wait while the levels below are read.
  const chain = Array.from({ length: 600 }, (_, depth) => `z${depth}/`)
  const levels = chain.map((_, depth) => chain.slice(0, depth).join(''))
  const sides = Array.from({ length: 10 }, (_, side) => `a${side}/`)
  const deep = Object.fromEntries(levels.flatMap((level) => sides.map((side) => [`${level}${side}`, ''] as const)))

  let root = ''

  // Once for all: thousands of folders, each by a path of hundreds.
  before(async () => {
    root = fs.mkdtempSync(join(tmpdir(), 'holdall-deep-'))
    await plant(root, deep)
  })
  after(() => fs.rmSync(root, { recursive: true }))

  test('are few in a very deep tree, all of which is found', async (t) => {
    const { disk } = await openDisk(t, { options: () => ({ root }) })
    const before = openBelow(root)
    // Of all kinds: whose they are would take too long to ask each time.
    const openHandles = () => fs.readdirSync('/proc/self/fd').length
    const others = openHandles()
    let most = 0
    const isWanted = (name: string) => {
      most = Math.max(most, openHandles() - others)
      return name.startsWith('a')
    }
    assert.equal((await pathsFound(disk, { isWanted })).length, chain.length * sides.length)
    assert.ok(most < 350, `${most} were open`)
    await until(() => openBelow(root).length === before.length, 'all are closed')
  })

  for (const [how, stop] of [
    ['the reader stops', undefined],
    ['the signal is aborted', new Error('the client went')],
  ] as const) {
    test(`are closed when ${how}, and no more are read`, async (t) => {
      let opened = 0
      const { disk } = await openDisk(t, { options: () => ({ root, strategy: watched({ onOpen: () => opened++ }) }) })
      const before = openBelow(root)
      const abort = new AbortController()
      const reading = async () => {
        for await (const _ of disk.find(capability('read', '/'), { ...all, signal: abort.signal })) {
          if (!stop) break
          abort.abort(stop)
        }
      }
      if (stop) await assert.rejects(reading(), stop)
      else await reading()
      await until(() => openBelow(root).length === before.length, 'all are closed')
      const sofar = opened
      for (let turn = 0; turn < 50; turn++) await setImmediate()
      assert.equal(opened, sofar)
      assert.ok(opened < 300, `${opened} were opened`)
    })
  }
})

test('a reader that takes nothing stops the reading of folders', async (t) => {
  let opened = 0
  const many = Array.from({ length: 300 }, (_, index) =>
    Array.from({ length: 10 }, (_, inner) => [`d${index}/${inner}`, ''] as const),
  )
  const { disk } = await openDisk(t, {
    files: Object.fromEntries(many.flat()),
    options: () => ({ strategy: watched({ onOpen: () => opened++ }) }),
  })
  const reading = disk.find(capability('read', '/'), { ...all, isWanted: (_, kind) => kind === 'file' })[Symbol.asyncIterator]()
  await reading.next()
  const settled = async () => {
    const before = opened
    for (let turn = 0; turn < 200; turn++) await setImmediate()
    return opened === before
  }
  await until(settled, 'no more are read')
  assert.ok(opened < 200, `${opened} were opened`)
  let rest = 0
  for (let next = await reading.next(); !next.done; next = await reading.next()) rest += next.value.length
  assert.ok(rest > 2000)
})

test('a folder that never answers delays nothing else, and an abort does not wait for it', async (t) => {
  const answer = Promise.withResolvers<void>()
  const openPath = async (address: string | Buffer) => {
    if (String(address).endsWith('/hung')) await answer.promise
    return descriptorStrategy.openPath(address)
  }
  const { disk, root } = await openDisk(t, {
    files: { 'a/f': '', 'hung/f': '', 'z/f': '' },
    options: () => ({ strategy: { ...descriptorStrategy, openPath } }),
  })
  const abort = new AbortController()
  const found: string[] = []
  const reading = async () => {
    const how = { isWanted: (_: string, kind: string) => kind === 'file', signal: abort.signal }
    for await (const batch of disk.find(capability('read', '/'), how)) {
      found.push(...batch.map(({ path }) => path))
      if (found.length === 2) abort.abort(new Error('nobody waits for it'))
    }
  }
  await assert.rejects(reading(), /nobody waits for it/)
  assert.deepEqual(found.sort(), ['/a/f', '/z/f'])
  const before = openBelow(root).length
  answer.resolve()
  await until(() => openBelow(root).length < before, 'the folders are closed when it answers')
})
