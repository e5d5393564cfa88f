import '../support/in-memory.ts'
import { rootPath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import { DiskDriver } from '../../src-server/disk/driver.ts'
import { type LocalDiskOptions, openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { pathStrategy } from '../../src-server/disk/path-handle.ts'
import { ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { MemoryDisk, MemoryDriver } from '../support/memory-disk.ts'
import { plant, type Tree, temporaryFolder } from '../support/tree.ts'
import { diskSuite, type MakeDisk } from './disk-suite.ts'

const protectedPaths = ProtectedPaths.of({ stateFile: '/nowhere/holdall.json', files: [], folders: [] })

function localDisk(options: Partial<LocalDiskOptions>): MakeDisk {
  return async (tree, t) => {
    const root = await temporaryFolder(t)
    await plant(root, tree)
    const disk = await openLocalDisk({ root, scope: rootPath, protectedPaths, linksInto: [], ...options })
    t.after(() => disk.close())
    return disk
  }
}

/** As on vfat: no hard links. */
const withoutLinks = {
  ...diskSystem,
  link: async () => {
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM', syscall: 'link' })
  },
}

/** A disk that does what each must, and nothing else. */
class CoreAlone extends DiskDriver {
  readonly #memory: MemoryDriver

  constructor(tree: Tree) {
    super()
    this.#memory = new MemoryDriver(tree)
  }

  stat: DiskDriver['stat'] = (at) => this.#memory.stat(at)
  list: DiskDriver['list'] = (at) => this.#memory.list(at)
  open: DiskDriver['open'] = (at) => this.#memory.open(at)
  beginWrite: DiskDriver['beginWrite'] = (at, how) => this.#memory.beginWrite(at, how)
  makeFolder: DiskDriver['makeFolder'] = (at, like) => this.#memory.makeFolder(at, like)
  remove: DiskDriver['remove'] = (at, how) => this.#memory.remove(at, how)
  move: DiskDriver['move'] = (from, to, how) => this.#memory.move(from, to, how)
}

const coreAlone: MakeDisk = async (tree) => new Disk(new CoreAlone(tree))
coreAlone.lacks = ['identify', 'isWithin', 'usage', 'hostPath', 'watch', 'resumeWrite', 'copyLink', 'keepRollback']

diskSuite('The core of a disk alone', coreAlone)
diskSuite('MemoryDisk', async (tree) => new MemoryDisk(tree))
diskSuite('LocalDisk', localDisk({}))
diskSuite('LocalDisk on a file system without hard links', localDisk({ system: withoutLinks }))
diskSuite('LocalDisk by paths, as on other systems than Linux', localDisk({ strategy: pathStrategy }))
