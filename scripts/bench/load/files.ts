import { join } from 'node:path'
import { fillQuickly, makeBigFile } from '../made-files.ts'

/** Folders to be listed; `short` is listed by the second user. */
export const folders = {
  short: { name: 'short', entries: 100 },
  middle: { name: 'middle', entries: 1000 },
  long: { name: 'long', entries: 60_000 },
} as const

const mebibytes = 256

export async function makeLoadFiles(root: string): Promise<void> {
  for (const { name, entries } of Object.values(folders)) fillQuickly(join(root, name), entries)
  await makeBigFile(root, 'big.bin', mebibytes)
}
