// What is done again after room was made on a full disk, and what must not be.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { type RoomMade, whileRoomIsMade } from '../../src-server/base/room.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { Keeping } from '../../src-server/trash/keeping.ts'
import type { PrincipalCalls } from '../support/as-principal.ts'
import { body, capability } from '../support/capabilities.ts'
import { fullSystem } from '../support/full-system.ts'
import { openDisk } from '../support/open-disk.ts'
import { startApp } from '../support/start-app.ts'
import { how, itemsIn, openWith } from '../support/trash-disk.ts'
import { harvest, plant } from '../support/tree.ts'

const large = 'n'.repeat(2.5 * 2 ** 20)

const fail = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })

/** Whether a descriptor is of a file of new content, and not of a folder or of the information of the trash. */
function isContent(fd: number) {
  const stats = fs.fstatSync(fd)
  return stats.isFile() && !fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('.trashinfo')
}

/** The system reports once that content could not be written: the next sync succeeds. */
function losingContent(code: string, more: Partial<DiskSystem> = {}) {
  const syncs = { count: 0 }
  const sync = async (fd: number) => {
    if (isContent(fd) && syncs.count++ === 0) throw fail(code, 'fsync')
    return diskSystem.sync(fd)
  }
  const system: DiskSystem = { ...diskSystem, ...more, sync }
  return { system, syncs }
}

/** The first information of the trash finds no space. */
function withoutSpaceForInfo(): DiskSystem['open'] {
  let isFull = true
  return async (path, ...rest) => {
    if (!isFull || !String(path).endsWith('.trashinfo')) return diskSystem.open(path, ...rest)
    isFull = false
    throw fail('ENOSPC', 'open')
  }
}

const keepReplaced = { ...how(), onKept: () => {} }
const makeRoom = async () => 'freed' as const

test('what was written of small content gives its space back before room is made for all of it', async (t) => {
  const { root } = await openDisk(t, { files: {} })
  let isFull = true
  const writev: DiskSystem['writev'] = async (fd, chunks, position) => {
    if (!isFull) return diskSystem.writev(fd, chunks, position)
    isFull = false
    await diskSystem.writev(fd, [Buffer.from('s')], position)
    throw fail('ENOSPC', 'write')
  }
  const disk = await openWith(t, root, { ...diskSystem, writev })
  const left: string[][] = []
  const makeRoom = async () => {
    left.push(fs.readdirSync(root))
    return 'freed' as const
  }
  await disk.write(capability('create', '/f'), body('small'), { replace: false, makeRoom })
  assert.deepEqual([left, await harvest(root)], [[[]], { f: 'small' }])
})

for (const code of ['ENOSPC', 'EIO']) {
  for (const isKept of [true, false]) {
    const where = isKept ? ' while the trash was full too' : ''
    test(`content that a sync has lost (${code}) gets no name${where}, although the next sync would succeed`, async (t) => {
      const { root, disk: other } = await openDisk(t, { files: { f: 'old' } })
      const { system, syncs } = losingContent(code, isKept ? { open: withoutSpaceForInfo() } : {})
      const disk = await openWith(t, root, system)
      const how = { replace: true, makeRoom, ...(isKept && { keepReplaced }) }
      const written = disk.write(capability('modify', '/f'), body(large.slice(1), 'n'), how)
      await assert.rejects(written, code === 'EIO' ? { code, syscall: 'fsync' } : { code: 'full' })
      assert.deepEqual([await harvest(root), await itemsIn(other, root), syncs.count], [{ f: 'old' }, [], 1])
    })
  }
}

test('small content that a sync has lost is written again', async (t) => {
  const { root, disk: other } = await openDisk(t, { files: { f: 'old' } })
  const { system, syncs } = losingContent('ENOSPC')
  const disk = await openWith(t, root, system)
  await disk.write(capability('modify', '/f'), body('new'), { replace: true, makeRoom, keepReplaced })
  assert.equal(fs.readFileSync(join(root, 'f'), 'utf8'), 'new')
  assert.deepEqual([(await itemsIn(other, root)).length, syncs.count], [1, 2])
})

type Done = (ann: PrincipalCalls, at: string) => Promise<Response>

/** What changes something, and syncs it then. */
const done: Readonly<Record<string, Done>> = {
  'a folder': (ann, at) => ann.makeFolder(`${at}/new`),
  'the copy of a folder': (ann, at) => ann.copy(`${at}/d`, `${at}/copy`),
  'the copy of a link': (ann, at) => ann.copy(`${at}/link`, `${at}/copy`),
  'a move': (ann, at) => ann.move(`${at}/f`, `${at}/d/f`),
  'a move that replaces': (ann, at) => ann.move(`${at}/f`, `${at}/g`, 'override=true'),
  'a removal': (ann, at) => ann.remove(`${at}/d`),
  'a small upload': (ann, at) => ann.upload(`${at}/new`, 'n'),
  'a small save': (ann, at) => ann.save(`${at}/f`, 'n'),
}

for (const [what, run] of Object.entries(done)) {
  test(`${what} is not done again once a call after its change has failed, but is refused as full`, async (t) => {
    const { system, arm } = failingOnFolders()
    const app = await startApp(t, { files: { first: '' }, services: { system } })
    const ann = await app.as('ann')
    const made = t.mock.method(Keeping.prototype, 'makeRoom', makeRoom)
    await ann.remove('/first')
    let [isFired, refused] = [true, 0]
    for (let nth = 1; isFired; nth++) {
      await plant(join(app.root, `${nth}`), { f: 'f', g: 'g', 'd/x': 'x', link: { link: 'f' } })
      const fired = arm(nth)
      const answer = await run(ann, `/${nth}`)
      isFired = fired()
      const text = await answer.text()
      assert.ok(answer.status === 200 || (isFired && answer.status === 507), `${nth}: ${answer.status} ${text}`)
      if (answer.status === 507) refused++
    }
    assert.deepEqual([made.mock.callCount(), refused > 0], [0, true])
  })
}

/** Calls on open folders, of which the `nth` fails once it is armed. `arm` returns whether that was. */
function failingOnFolders() {
  let left = 0
  const on = <A extends unknown[]>(syscall: string, call: (fd: number, ...rest: A) => Promise<void>) => {
    return async (fd: number, ...rest: A) => {
      if (fs.fstatSync(fd).isDirectory() && --left === 0) throw fail('ENOSPC', syscall)
      return call(fd, ...rest)
    }
  }
  const { setMode, setTimes, sync } = diskSystem
  const changed = { setMode: on('fchmod', setMode), setTimes: on('futime', setTimes), sync: on('fsync', sync) }
  const arm = (nth: number) => {
    left = nth
    return () => left <= 0
  }
  return { system: { ...diskSystem, ...changed } satisfies DiskSystem, arm }
}

test('room is made for the copy of what a move from another disk replaces, where no file has two names', async (t) => {
  const asked: unknown[] = []
  const { system, space } = fullSystem()
  const refuse = (code: string, syscall: string) => () => Promise.reject(fail(code, syscall))
  const rename: DiskSystem['rename'] = (from, to) => {
    if (dirname(String(from)) === dirname(String(to))) return system.rename(from, to)
    // It is found full once it is known that the content has to be copied.
    space.isFull ||= asked.length === 0 && basename(String(to)) === 'f'
    return refuse('EXDEV', 'rename')()
  }
  const disks = { ...system, rename, link: refuse('EPERM', 'link') }
  const app = await startApp(t, { files: { f: 'new', 't/f': large }, services: { system: disks } })
  const ann = await app.as('ann')
  t.mock.method(Keeping.prototype, 'makeRoom', async (path: string, { bytes }: { bytes: number }) => {
    asked.push([path, bytes])
    space.isFull = false
    return 'freed' as const
  })
  assert.equal((await ann.move('/f', '/t/f', 'override=true')).status, 200)
  assert.deepEqual([asked, (await harvest(app.root))['t/f']], [[['/t/f', large.length]], 'new'])
})

test('a failure to make room leaves the failure of the work as it is', async () => {
  const full = fail('ENOSPC', 'write')
  const failed = whileRoomIsMade(
    () => Promise.reject(full),
    () => Promise.reject(new Error('the trash cannot be read')),
  )
  await assert.rejects(failed, (error) => error === full)
})

test('what was freed is waited for where the file system does not give it back at once, and not for ever', async () => {
  const full = () => Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
  const run = async (answers: RoomMade[], failures: number) => {
    const asked: boolean[] = []
    let attempts = 0
    const work = async () => {
      if (attempts++ < failures) throw full()
      return 'done'
    }
    const makeRoom = async (isAgain: boolean) => {
      asked.push(isAgain)
      return answers.shift() ?? 'none'
    }
    const outcome = await whileRoomIsMade(work, makeRoom).catch((error: Error) => error.message)
    return { outcome, asked }
  }
  assert.deepEqual(await run(['freed', 'none'], 2), { outcome: 'done', asked: [false, false] })
  assert.deepEqual(await run(['none'], 2), { outcome: 'ENOSPC', asked: [false] })
  assert.deepEqual(await run(['freed'], 100), { outcome: 'ENOSPC', asked: [false, false, true, true, true, true] })
})
