// The conflicts that make a copy or move try another free name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { Events } from '../../src-server/events/events.ts'
import { body, capability } from '../support/capabilities.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { userFilesOn } from '../support/user-files.ts'

const keepBoth = { override: false, rename: true }

/** A disk that calls `before` before each change that creates a name. */
class WatchedDisk extends MemoryDisk {
  before = async (_name: string): Promise<void> => {}

  override write: MemoryDisk['write'] = async (at, ...rest) => {
    await this.before(pathOf(at))
    return super.write(at, ...rest)
  }

  override makeFolder: MemoryDisk['makeFolder'] = async (at, ...rest) => {
    await this.before(pathOf(at))
    return super.makeFolder(at, ...rest)
  }

  override move: MemoryDisk['move'] = async (from, to, ...rest) => {
    await this.before(pathOf(to))
    return super.move(from, to, ...rest)
  }
}

function pathOf(capability: Capability<'create' | 'modify' | 'rename'>): string {
  return Capability.check(capability, 'create', 'modify', 'rename').path
}

function setup() {
  const disk = new WatchedDisk({ 'src/a.txt': 'a', 'src/b.txt': 'b', 'f.txt': 'f', 'taken/': '', 'taken.txt': 'x' })
  const told: string[] = []
  const events = new Events(() => {})
  events.before((event) => void told.push('to' in event ? String(event.to) : ''))
  const files = userFilesOn(disk, { events })
  const names = async (path = '/') => (await disk.list(capability('read', path))).map(({ name }) => name).sort()
  return { disk, files, told, names }
}

for (const action of ['copy', 'move'] as const) {
  test(`a ${action} with a conflict at another path than its target is not tried under other names`, async () => {
    const { disk, files, told, names } = setup()
    let calls = 0
    disk.before = async () => {
      // The second change of a copy is inside the tree; a move is one change, which fails because the source is in use.
      if (++calls > (action === 'copy' ? 1 : 0)) throw new Failure('conflict', 'the file is a running program')
    }
    await assert.rejects(files[action](parsePath('/src'), parsePath('/taken'), keepBoth), { code: 'conflict' })
    assert.deepEqual(told, ['/taken(1)'])
    const left = (await names()).filter((name) => name.startsWith('taken'))
    assert.deepEqual(left, ['taken', 'taken.txt'], 'no empty folder of the copy stays')
  })

  for (const [source, target, others] of [
    ['/src', '/taken', ['/taken(1)', '/taken(2)']],
    ['/f.txt', '/taken.txt', ['/taken(1).txt', '/taken(2).txt']],
  ] as const) {
    test(`a ${action} of ${source} whose free name is taken meanwhile takes the next`, async () => {
      const { disk, files, told, names } = setup()
      disk.before = async () => {
        disk.before = async () => {}
        await MemoryDisk.prototype.write.call(disk, capability('create', others[0]), body('theirs'), {
          replace: false,
        })
      }
      await files[action](parsePath(source), parsePath(target), keepBoth)
      assert.deepEqual(told, others)
      for (const path of others) assert.ok((await names()).includes(path.slice(1)), path)
    })
  }
}
