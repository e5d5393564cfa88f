// One big file, in the page cache when it is made: what is measured is the server, not the disk.
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { requireSpace } from '../../test/support/real-files.ts'

const mebibyte = 1 << 20
/** What uploads send too. */
export const block = Buffer.alloc(mebibyte, 'a line of text that is as good as any other\n')

/** @returns its path @throws when the space is lacking */
export async function makeBigFile(folder: string, name: string, mebibytes: number): Promise<string> {
  await requireSpace(folder, mebibytes * mebibyte)
  const path = join(folder, name)
  const file = openSync(path, 'wx')
  for (let written = 0; written < mebibytes; written++) writeSync(file, block)
  closeSync(file)
  return path
}
