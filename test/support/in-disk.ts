// Reads the content of a disk.
import { text } from 'node:stream/consumers'
import type { Principal } from '../../src-server/access/principal.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { capability, principal } from './capabilities.ts'

/** The names in a folder, sorted. */
export async function namesIn(disk: Disk, path = '/', who: Principal = principal()): Promise<string[]> {
  return (await disk.list(capability('read', path, who))).map(({ name }) => name).sort()
}

/** The text of a file. */
export async function contentOf(disk: Disk, path: string, who: Principal = principal()): Promise<string> {
  const file = await disk.open(capability('download', path, who))
  try {
    return await text(file.read())
  } finally {
    await file.close()
  }
}
