// authorize() alone makes capabilities, and the disk accepts nothing else.
import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { authorize, Capability, isAllowed, isBlocked } from '../../src-server/access/authorize.ts'
import { allPermissions, noPermissions } from '../../src-server/access/permissions.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { type Action, permissionNames } from '../../src-server/contract/permissions.ts'
import type { Disk, RollbackCopy } from '../../src-server/disk/disk.ts'
import { body, capability, principal } from '../support/capabilities.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { openDisk } from '../support/open-disk.ts'

const actions = ['read', 'download', 'create', 'modify', 'rename', 'delete', 'share', 'execute'] as const satisfies Action[]
const path = parsePath('/a')

describe('authorize', () => {
  test('needs the permission of the same name, and none for seeing', () => {
    for (const action of actions) {
      const nobody = { ...principal(), permissions: noPermissions }
      if (action === 'read') assert.equal(authorize(nobody, action, path).action, 'read')
      else assert.throws(() => authorize(nobody, action, path), { code: 'forbidden' }, action)
      const somebody = { ...nobody, permissions: { ...noPermissions, [action]: true } }
      assert.equal(authorize(somebody, action, path).action, action)
    }
  })

  test('accepts no permission in place of another, not even the administrator’s', () => {
    for (const name of permissionNames) {
      const somebody = { ...principal(), permissions: { ...allPermissions, [name]: false } }
      for (const action of actions) {
        if (action === name) assert.throws(() => authorize(somebody, action, path), { code: 'forbidden' })
        else assert.equal(authorize(somebody, action, path).action, action)
      }
    }
  })

  test('refuses what the rules block, for every principal and every need', () => {
    for (const action of actions) assert.throws(() => authorize(principal('/a'), action, path), { code: 'forbidden' }, action)
    assert.equal(isBlocked(principal('/a'), path), true)
    assert.equal(isBlocked(principal('/b'), path), false)
  })

  test('makes a capability of exactly what is said to be allowed', () => {
    const asked = actions.flatMap((action) => permissionNames.map((name) => ({ action, name })))
    for (const { action, name } of asked) {
      for (const blocked of ['/a', '/b']) {
        const somebody = { ...principal(blocked), permissions: { ...noPermissions, [name]: true } }
        const isMade = action === 'read' || action === name
        assert.equal(isAllowed(somebody, action, path), isMade && blocked === '/b', `${action} with ${name}, ${blocked} blocked`)
        if (isAllowed(somebody, action, path)) authorize(somebody, action, path)
        else assert.throws(() => authorize(somebody, action, path), { code: 'forbidden' })
      }
    }
  })

  test('names the missing permission, and says nothing about a blocked path', () => {
    assert.throws(() => authorize({ ...principal(), permissions: noPermissions }, 'delete', path), /you may not delete here/)
    assert.throws(() => authorize(principal('/a'), 'delete', path), { message: '' })
  })
})

describe('a capability', () => {
  test('tells its path and asks its principal’s rules', () => {
    const authorized = Capability.check(capability('read', '/a', principal('/b')), 'read')
    assert.equal(authorized.path, '/a')
    assert.deepEqual([authorized.isBlocked(parsePath('/b/c')), authorized.isBlocked(parsePath('/c'))], [true, false])
  })

  test('is accepted for nothing else', () => {
    for (const action of actions) {
      for (const other of actions.filter((name) => name !== action)) {
        assert.throws(() => Capability.check(capability(action, '/a') as Capability, other), TypeError, `${action} as ${other}`)
      }
    }
  })

  test('cannot be made by hand', () => {
    // @ts-expect-error nothing else has the stamp
    assert.throws(() => new Capability(Symbol('stamp'), principal(), 'delete', path), /Only authorize/)
    // @ts-expect-error nor will nothing do
    assert.throws(() => new Capability(undefined, principal(), 'delete', path), /Only authorize/)
  })

  test('cannot be changed into another', () => {
    const seeing = capability('read', '/a')
    // @ts-expect-error what it is for cannot be written
    assert.throws(() => (seeing.action = 'delete'), TypeError)
    Object.defineProperty(seeing, 'need', { value: 'delete' })
    assert.throws(() => Capability.check(seeing as unknown as Capability<'delete'>, 'delete'), TypeError)
  })

  test('cannot be inherited, wrapped or copied', () => {
    const real = capability('delete', '/a')
    const forged = [Object.create(real), new Proxy(real, {}), { ...real }, structuredClone({ action: 'delete' })]
    for (const one of forged) assert.throws(() => Capability.check(one as Capability<'delete'>, 'delete'), TypeError)
  })
})

for (const [name, makeDisk] of [
  ['MemoryDisk', async () => new MemoryDisk({ a: 'x' })],
  ['LocalDisk', async (t: { after(work: () => Promise<void>): void }) => (await openDisk(t, { files: { a: 'x' } })).disk],
] as const) {
  describe(name, () => {
    test('accepts no path, no similar object and no capability for another need: none compiles, none works', async (t) => {
      const disk: Disk = await makeDisk(t)
      // @ts-expect-error a path is no capability
      await assert.rejects(async () => disk.remove('/a'), TypeError)
      // @ts-expect-error nor is a branded one
      await assert.rejects(async () => disk.remove(path), TypeError)
      // @ts-expect-error nor a literal of the same shape
      await assert.rejects(async () => disk.remove({ action: 'delete' }), TypeError)
      // @ts-expect-error nor nothing
      await assert.rejects(async () => disk.remove(undefined), TypeError)
      // @ts-expect-error nor a capability to something else
      await assert.rejects(async () => disk.remove(capability('read', '/a')), TypeError)
      // @ts-expect-error not even to something more
      await assert.rejects(async () => disk.list(capability('delete', '/a')), TypeError)
      assert.equal((await disk.stat(capability('read', '/a'))).name, 'a')
    })

    test('accepts no cast and no copied prototype', async (t) => {
      const disk: Disk = await makeDisk(t)
      const forgeries = (action: Action) => [
        { action } as never,
        Object.create(Capability.prototype, { action: { value: action } }),
        Object.setPrototypeOf({ action }, Capability.prototype),
        Object.create(capability('read', '/a'), { action: { value: action } }),
        new Proxy(capability('read', '/a'), { get: () => action }) as never,
      ]
      for (const [action, call] of callsOf(disk)) {
        for (const forged of forgeries(action)) await assert.rejects(async () => call(forged as never), TypeError, String(call))
      }
      assert.equal((await disk.stat(capability('read', '/a'))).size, 1)
    })

    test('accepts for each call only the capabilities with its needs', async (t) => {
      const good: Record<string, readonly Action[]> = {
        stat: ['read'],
        list: ['read'],
        listInParts: ['read'],
        open: ['download', 'rename'],
        write: ['create', 'modify', 'rename'],
        makeFolder: ['create', 'rename'],
        copyLink: ['download', 'rename'],
        'copyLink to': ['create', 'rename'],
        keepRollback: ['rename'],
        rollBack: ['rename'],
        dropRollback: ['rename'],
        remove: ['delete', 'rename', 'modify'],
        move: ['rename'],
        'move to': ['rename', 'create', 'modify'],
      }
      const disk: Disk = await makeDisk(t)
      for (const [, call, method] of callsOf(disk)) {
        for (const action of actions) {
          const outcome = await Promise.resolve()
            .then(() => call(capability(action, '/nothing/x') as never))
            .catch((error: unknown) => error)
          assert.equal(outcome instanceof TypeError, !good[method]?.includes(action), `${action} to ${method}`)
        }
      }
    })
  })
}

/** A hidden name that no file has. */
const old = { name: `.holdall-${'0'.repeat(32)}.part`, follows: true, isCopy: false } as RollbackCopy

/** Every parameter of a disk's calls that takes a capability, with an accepted need. */
function callsOf(disk: Disk): [Action, (capability: never) => Promise<unknown>, string][] {
  return [
    ['read', (it) => disk.stat(it), 'stat'],
    ['read', (it) => disk.list(it), 'list'],
    ['read', (it) => Array.fromAsync(disk.listInParts(it)), 'listInParts'],
    ['download', (it) => disk.open(it), 'open'],
    ['create', (it) => disk.write(it, body('x'), { replace: true }), 'write'],
    ['create', (it) => disk.makeFolder(it), 'makeFolder'],
    ['rename', (it) => disk.copyLink(it, capability('create', '/nothing/y')), 'copyLink'],
    ['create', (it) => disk.copyLink(capability('rename', '/nothing/z'), it), 'copyLink to'],
    ['rename', (it) => disk.keepRollback(it, { follows: true }), 'keepRollback'],
    ['rename', (it) => disk.rollBack(it, old), 'rollBack'],
    ['rename', (it) => disk.dropRollback(it, old), 'dropRollback'],
    ['delete', (it) => disk.remove(it), 'remove'],
    ['rename', (it) => disk.move(it, capability('create', '/nothing/y'), { replace: true }), 'move'],
    ['create', (it) => disk.move(capability('rename', '/nothing/z'), it, { replace: true }), 'move to'],
  ]
}
