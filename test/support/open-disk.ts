import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { rootPath } from '../../src-server/base/paths.ts'
import { LocalDisk, type LocalDiskOptions } from '../../src-server/disk/local-disk.ts'
import { ProtectedPaths } from '../../src-server/disk/protected-paths.ts'
import { plant, type Tree, temporaryFolder } from './tree.ts'

/** For a disk on which nothing is the server's own. */
export const nothingProtected: ProtectedPaths = ProtectedPaths.of({ stateFile: '/nowhere/holdall.json', files: [], folders: [] })

export type OpenedDisk = Readonly<{
  disk: LocalDisk
  /** Where the files lie. */
  root: string
  /** Beside the root, out of the disk's reach. */
  outside: string
}>

/** A disk over a new folder, with a folder beside it for what must not be reached. */
export async function openDisk(
  t: Pick<TestContext, 'after'>,
  setup: {
    files?: Tree
    outside?: Tree
    options?: (places: { root: string; outside: string }) => Partial<LocalDiskOptions>
  } = {},
): Promise<OpenedDisk> {
  const folder = await temporaryFolder(t)
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')]
  for (const place of [root, outside]) await mkdir(place)
  await plant(outside, setup.outside ?? {})
  await plant(root, setup.files ?? {})
  const options = setup.options?.({ root, outside }) ?? {}
  const disk = await LocalDisk.open({ root, scope: rootPath, protectedPaths: nothingProtected, linksInto: [], ...options })
  t.after(async () => disk.close())
  return { disk, root, outside }
}
