import '../support/in-memory.ts'
import { rootPath } from '../../src-server/base/paths.ts'
import { LocalDisk } from '../../src-server/disk/local-disk.ts'
import { pathStrategy } from '../../src-server/disk/path-handle.ts'
import { ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { plant, temporaryFolder } from '../support/tree.ts'
import { diskSuite, type MakeDisk } from './disk-suite.ts'

const protectedPaths = ProtectedPaths.of({ stateFile: '/nowhere/holdall.json', files: [], folders: [] })

function localDisk(options: Partial<Parameters<typeof LocalDisk.open>[0]>): MakeDisk {
  return async (tree, t) => {
    const root = await temporaryFolder(t)
    await plant(root, tree)
    const disk = await LocalDisk.open({ root, scope: rootPath, protectedPaths, linksInto: [], ...options })
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

diskSuite('MemoryDisk', async (tree) => new MemoryDisk(tree))
diskSuite('LocalDisk', localDisk({}))
diskSuite('LocalDisk on a file system without hard links', localDisk({ system: withoutLinks }))
diskSuite('LocalDisk by paths, as on other systems than Linux', localDisk({ strategy: pathStrategy }))
