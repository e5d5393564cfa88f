import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { rootPath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { type LocalDiskOptions, openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import { plant, type Tree, temporaryFolder } from './tree.ts'

/** For a disk without protected paths. */
export const nothingProtected: ProtectedPaths = ProtectedPaths.of({ stateFile: '/nowhere/holdall.json', files: [], folders: [] })

export type OpenedDisk = Readonly<{
  disk: Disk
  /** The folder that the disk serves. */
  root: string
  /** A folder beside the root, which the disk must not reach. */
  outside: string
}>

/** Opens a disk on a new folder, with another folder beside it that must not be reached. */
export async function openDisk(
  t: Pick<TestContext, 'after'>,
  setup: {
    files?: Tree
    outside?: Tree
    options?: (folders: { root: string; outside: string }) => Partial<LocalDiskOptions>
  } = {},
): Promise<OpenedDisk> {
  const folder = await temporaryFolder(t)
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')]
  for (const path of [root, outside]) await mkdir(path)
  await plant(outside, setup.outside ?? {})
  await plant(root, setup.files ?? {})
  const options = setup.options?.({ root, outside }) ?? {}
  const disk = await openLocalDisk({ root, scope: rootPath, protectedPaths: nothingProtected, linksInto: [], ...options })
  t.after(async () => disk.close())
  return { disk, root, outside }
}
