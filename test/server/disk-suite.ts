// Tests of every implementation of Disk.
import { describe, type TestContext } from 'node:test'
import type { Disk } from '../../src-server/disk/disk.ts'
import type { DiskDriver } from '../../src-server/disk/driver.ts'
import type { Tree } from '../support/tree.ts'
import { seeing, writing } from './disk-suite-content.ts'
import { counting } from './disk-suite-counts.ts'
import { finding } from './disk-suite-find.ts'
import { links } from './disk-suite-links.ts'
import { folders, moving, nasty, removing } from './disk-suite-names.ts'
import { keepingOld } from './disk-suite-old.ts'
import { identities, reading, realPaths, watching } from './disk-suite-reading.ts'
import { aborting, pendingWrites, versions } from './disk-suite-writes.ts'

export type MakeDisk = ((tree: Tree, test: TestContext) => Promise<Disk>) & {
  /** What the driver does not do itself. */
  lacks?: readonly (keyof DiskDriver)[]
}

/** The options of a test that no fallback passes. */
export function actions(makeDisk: MakeDisk, ...methods: (keyof DiskDriver)[]): { skip: boolean } {
  return { skip: methods.some((method) => makeDisk.lacks?.includes(method)) }
}

export function diskSuite(name: string, makeDisk: MakeDisk): void {
  describe(name, () => {
    const all = [
      seeing,
      reading,
      counting,
      finding,
      realPaths,
      identities,
      watching,
      writing,
      pendingWrites,
      versions,
      aborting,
      folders,
      links,
      removing,
      moving,
      keepingOld,
      nasty,
    ]
    for (const addTests of all) addTests(makeDisk)
  })
}
