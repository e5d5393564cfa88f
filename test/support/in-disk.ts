// Asked of a disk by tests: what is in it.
import { readFileSync } from 'node:fs'
import type { Visitor } from '../../src-server/access/admission.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { ticket, visitor } from './tickets.ts'

/** The names in a folder, sorted. */
export async function namesIn(disk: Disk, path = '/', who: Visitor = visitor()): Promise<string[]> {
  return (await disk.list(ticket('see', path, who))).map(({ name }) => name).sort()
}

/** The text of a file. */
export async function contentOf(disk: Disk, path: string, who: Visitor = visitor()): Promise<string> {
  const file = await disk.open(ticket('download', path, who))
  try {
    return readFileSync(`/proc/self/fd/${file.fd}`, 'utf8')
  } finally {
    await file.close()
  }
}
