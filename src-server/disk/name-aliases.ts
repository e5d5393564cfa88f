// Where the file system is blind to case or to the form of letters, one thing answers to many names; rules know only one.
// So a thing is found under the name that a listing shows, and under no other: what a rule blocks cannot be reached by spelling
// it differently, nor by the short names and dropped dots of vfat.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { errnoOf } from './errno.ts'
import { below, type HandleStrategy, type PathHandle } from './path-handle.ts'

const readdir = promisify(fs.readdir) as (path: string) => Promise<string[]>

/** Folders that were found to tell upper from lower case. A folder can change that only while it is empty. */
const exactFolders = new Set<string>()
const mostRemembered = 10_000

/** Whether what was found under a name has that very name. Costs one more look for the first thing in each folder. */
export async function isExactName(
  strategy: HandleStrategy,
  folder: PathHandle,
  name: string,
  handle: PathHandle,
): Promise<boolean> {
  const key = `${folder.identity}:${folder.stats.birthtimeNs}`
  for (const other of aliasesOf(name, exactFolders.has(key))) {
    if (await leadsTo(strategy, folder, other, handle)) return (await readdir(folder.address)).includes(name)
  }
  // Only when it is still there: else it may have gone before it was looked for under the other name.
  if (hasLetter(name) && !exactFolders.has(key) && (await leadsTo(strategy, folder, name, handle))) remember(key)
  return true
}

/** Names that only a blind file system takes for this one. */
function aliasesOf(name: string, tellsCase: boolean): string[] {
  const form = [name.normalize('NFC'), name.normalize('NFD')].find((other) => other !== name)
  const others = form === undefined ? [] : [form]
  if (tellsCase) return others
  if (hasLetter(name)) return [swapCase(name), ...others]
  // Nothing to swap: a file system that drops a dot from the end is blind to case as well.
  return [`${name}.`, ...others]
}

function hasLetter(name: string) {
  return /[a-z]/i.test(name)
}

function swapCase(name: string) {
  return name.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

async function leadsTo(strategy: HandleStrategy, folder: PathHandle, name: string, handle: PathHandle): Promise<boolean> {
  try {
    const found = await strategy.openPath(below(folder, name))
    found.close()
    return found.identity === handle.identity
  } catch (error) {
    if (['ENOENT', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return false
    throw error
  }
}

function remember(key: string) {
  if (exactFolders.size >= mostRemembered) exactFolders.clear()
  exactFolders.add(key)
}
