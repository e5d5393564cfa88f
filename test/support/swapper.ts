// A separate process that swaps files and folders for links as fast as it can: `node swapper.ts <path> <link> <path> <link> …`.
// Ends with its parent, or after 26 minutes.
import { renameSync, writeSync } from 'node:fs'

const args = process.argv.slice(2)
const parent = process.ppid
const end = Date.now() + 26 * 60 * 1000
let aside = 0

for (let round = 0; ; round++) {
  if (round % 1000 === 0 && (process.ppid !== parent || Date.now() > end)) break
  if (round === 1000) writeSync(1, 'swapping\n')
  for (let index = 0; index < args.length; index += 2) swap(args[index] ?? '', args[index + 1] ?? '')
}

/** Replaces a path by the link, and restores it. */
function swap(path: string, link: string) {
  renameSync(path, `${path}.away`)
  put(link, path)
  renameSync(path, link)
  put(`${path}.away`, path)
}

/** An upload to a path that is moved away may make a new folder there, which is moved aside. */
function put(from: string, to: string) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    renameSync(to, `${to}.aside-${aside++}`)
    put(from, to)
  }
}
