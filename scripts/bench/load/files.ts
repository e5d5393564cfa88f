import { join } from 'node:path'
import { fillQuickly, fillWithText, makeBigFile } from '../made-files.ts'

/** Folders to be listed; `short` is listed by the second user. */
export const folders = {
  short: { name: 'short', entries: 100 },
  middle: { name: 'middle', entries: 1000 },
  long: { name: 'long', entries: 60_000 },
} as const

/** Folders of 200 files of 2 to 10 KB each, named by their number. */
export const archivedFiles = { name: 'archived', folders: 100 } as const

const mebibytes = 256

export async function makeLoadFiles(root: string): Promise<void> {
  for (const { name, entries } of Object.values(folders)) fillQuickly(join(root, name), entries)
  for (let folder = 1; folder <= archivedFiles.folders; folder++) fillWithText(join(root, archivedFiles.name, `${folder}`), 'txt')
  await makeBigFile(root, 'big.bin', mebibytes)
}
