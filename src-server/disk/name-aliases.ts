// Where the file system does not tell upper from lower case or the forms of letters apart, one object answers to many names; rules
// know only one. So an object is found under the name that a listing shows, and under no other: what a rule blocks cannot be
// reached by another spelling, nor by the short names and dropped dots of vfat.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { errnoOf } from './errno.ts'
import { openChild } from './open-child.ts'
import type { HandleStrategy, PathHandle } from './path-handle.ts'

const readdir = promisify(fs.readdir) as (path: string) => Promise<string[]>

/** Folders that were found to tell upper from lower case. A folder can change that only while it is empty. */
const exactFolders = new Set<string>()
const mostRemembered = 10_000

const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/** One form for all names that some file system takes for the same: full case folding, the forms of letters, and what it ignores. */
export function foldedName(name: string): string {
  // By way of capitals: 'ß' is 'SS' there, both kinds of small sigma are one, and so are the long and the short s.
  return name.normalize('NFD').replace(ignorable, '').toUpperCase().toLowerCase().toUpperCase().normalize('NFC')
}

/**
 * Whether what was found under a name has that very name: the listing says so, or the folder has proved that it tells names apart.
 * The proof costs one call for the first name in each folder.
 */
export async function isExactName(
  strategy: HandleStrategy,
  folder: PathHandle,
  name: string,
  handle: PathHandle,
): Promise<boolean> {
  const key = `${folder.identity}:${folder.stats.birthtimeNs}`
  const look = { strategy, folder }
  if (exactFolders.has(key) || (await tellsCase(look, name, handle))) {
    remember(key)
    if (!(await hasOtherForm(look, name, handle))) return true
  }
  const names = await readdir(folder.address)
  if (!exactFolders.has(key) && (await provesCase(look, names))) remember(key)
  return names.includes(name)
}

type Look = Readonly<{ strategy: HandleStrategy; folder: PathHandle }>

/** Whether a name and the same in the other case are seen to be two. */
async function tellsCase(look: Look, name: string, handle: PathHandle): Promise<boolean> {
  const other = swapCase(name)
  if (other === name || (await leadsTo(look, other, handle))) return false
  // Only when it is still there: else it may have gone before it was looked for under the other name.
  return leadsTo(look, name, handle)
}

/** The same of any other name in the folder: digits and ideographs have no case. */
async function provesCase(look: Look, names: readonly string[]): Promise<boolean> {
  const name = names.find((one) => swapCase(one) !== one)
  if (name === undefined) return false
  const handle = await openChild(look.strategy, look.folder, name)
  if (!handle) return false
  try {
    return await tellsCase(look, name, handle)
  } finally {
    handle.close()
  }
}

/** Whether the folder takes another form of the letters for the same name: some that tell case apart do not tell forms apart. */
async function hasOtherForm(look: Look, name: string, handle: PathHandle): Promise<boolean> {
  for (const form of ['NFC', 'NFD'] as const) {
    const other = name.normalize(form)
    if (other !== name && (await leadsTo(look, other, handle))) return true
  }
  return false
}

/** ASCII alone: every file system that folds case folds these letters. */
function swapCase(name: string) {
  return name.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

async function leadsTo({ strategy, folder }: Look, name: string, handle: PathHandle): Promise<boolean> {
  try {
    const found = await openChild(strategy, folder, name)
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
