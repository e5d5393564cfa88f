// Deletes into a trash and puts back, on disks of their own.
import * as fs from 'node:fs'
import type { TestContext } from 'node:test'
import { parsePath, rootPath } from '../../src-server/base/paths.ts'
import type { Disk, TrashedItem, TrashHow } from '../../src-server/disk/disk.ts'
import { openLocalDisk } from '../../src-server/disk/local-disk.ts'
import { descriptorStrategy } from '../../src-server/disk/path-handle.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from './capabilities.ts'
import { nothingProtected } from './open-disk.ts'

export const owner = '0123abcd-1'
export const how = (more: Partial<TrashHow> = {}): TrashHow => ({
  owner,
  by: { id: 1, name: 'ann' },
  at: Date.parse('2026-11-26T10:00:00.123Z'),
  notePlace: async () => {},
  ...more,
})

export const put = (disk: Disk, path: string, more?: Partial<TrashHow>) => disk.toTrash(capability('delete', path), how(more))
/** Writes over a file, which is kept. @returns what was kept */
export async function replace(disk: Disk, path: string, text: string): Promise<TrashedItem | undefined> {
  let kept: TrashedItem | undefined
  const onKept = (item: TrashedItem) => {
    kept = item
  }
  await disk.write(capability('modify', path), body(text), { replace: true, keepReplaced: { ...how(), onKept } })
  return kept
}

export const back = (disk: Disk, item: TrashedItem, path: string = item.path) => disk.fromTrash(item, capability('create', path))
export const purge = (disk: Disk, item: TrashedItem) => disk.purge(capability('delete', item.path), item)
export const itemsIn = async (disk: Disk, top: string) => {
  const found = await disk.trashed(capability('read', '/'), { top, owner, topIdentity: '', topPath: rootPath })
  return [...(found?.items ?? [])]
}

export async function openWith(t: TestContext, root: string, system: DiskSystem, scope = '/'): Promise<Disk> {
  const rest = { protectedPaths: nothingProtected, linksInto: [], system, strategy: descriptorStrategy }
  const disk = await openLocalDisk({ root, scope: parsePath(scope), ...rest })
  t.after(async () => disk.close())
  return disk
}

export async function tidy(t: TestContext, root: string) {
  const disk = await openWith(t, root, diskSystem)
  const place = { top: fs.realpathSync(root), owner, topIdentity: '', topPath: rootPath }
  for (const part of ['changes', 'purges'] as const) await disk.tidyTrash(capability('delete', '/'), place, part)
}
