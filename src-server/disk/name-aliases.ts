// On a file system that ignores case or Unicode forms one object has many names, and rules name only one. So an object is found only
// under the name that a listing shows: a blocked path cannot be reached in another spelling, nor by the short names and removed dots
// of vfat.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { errnoOf } from './errno.ts'
import { fileSystemOn } from './file-systems.ts'
import { openChild } from './open-child.ts'
import type { HandleStrategy, PathHandle } from './path-handle.ts'

const readdir = promisify(fs.readdir) as (path: string) => Promise<string[]>

/** Folders that were found to be case-sensitive. A folder can change that only while it is empty. */
const exactFolders = new Set<string>()
const mostRemembered = 10_000

/**
 * Whether the found entry has exactly this name: it is listed so, or the folder was found to be case-sensitive. The test costs one
 * call for the first name in each folder.
 */
export async function isExactName(lookup: Lookup, name: string, handle: PathHandle): Promise<boolean> {
  const { folder, signal } = lookup
  const key = `${folder.identity}:${folder.stats.birthtimeNs}`
  if (exactFolders.has(key) || (await tellsCase(lookup, name, handle))) {
    remember(key)
    if (!(await hasOtherForm(lookup, name, handle))) return true
  }
  const names = await fileSystemOn(folder.stats.dev).timed(() => readdir(folder.address), signal)
  if (!exactFolders.has(key) && (await provesCase(lookup, names))) remember(key)
  return names.includes(name)
}

/** @param signal ends the waiting for the thread pool */
type Lookup = Readonly<{ strategy: HandleStrategy; folder: PathHandle; signal?: AbortSignal | undefined }>

/** Whether a name and its other case are two different names. */
async function tellsCase(lookup: Lookup, name: string, handle: PathHandle): Promise<boolean> {
  const other = swapCase(name)
  if (other === name || (await leadsTo(lookup, other, handle))) return false
  // Only when it still exists: else it may have been removed before the call with the other name.
  return leadsTo(lookup, name, handle)
}

/** The same test with any other name in the folder, because digits and ideographs have no case. */
async function provesCase(lookup: Lookup, names: readonly string[]): Promise<boolean> {
  const name = names.find((one) => swapCase(one) !== one)
  if (name === undefined) return false
  const handle = await openChild(lookup.strategy, lookup.folder, name, lookup.signal)
  if (!handle) return false
  try {
    return await tellsCase(lookup, name, handle)
  } finally {
    handle.close()
  }
}

/** Whether the folder treats another Unicode form as the same name: some case-sensitive file systems do. */
async function hasOtherForm(lookup: Lookup, name: string, handle: PathHandle): Promise<boolean> {
  for (const form of ['NFC', 'NFD'] as const) {
    const other = name.normalize(form)
    if (other !== name && (await leadsTo(lookup, other, handle))) return true
  }
  return false
}

/** ASCII alone: every file system that folds case folds these letters. */
function swapCase(name: string) {
  return name.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

async function leadsTo({ strategy, folder, signal }: Lookup, name: string, handle: PathHandle): Promise<boolean> {
  try {
    const found = await openChild(strategy, folder, name, signal)
    found?.close()
    return found?.identity === handle.identity
  } catch (error) {
    if (['ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return false
    throw error
  }
}

function remember(key: string) {
  if (exactFolders.size >= mostRemembered) exactFolders.clear()
  exactFolders.add(key)
}
