import { authorize, isBlocked } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { childOf, type Path } from '../base/paths.ts'
import type { ResourceItem } from '../contract/files.ts'
import type { Entry } from '../disk/disk.ts'
import { itemOf } from './resource.ts'
import { concernsSubtitles } from './subtitles.ts'
import { type FileContext, isHidden } from './walk.ts'

/** What stands at some names of a folder now. What the principal may not see is in none of the lists. */
export type ChangedItems = Readonly<{
  /** `state` changes whenever the item does. */
  items: readonly Readonly<{ item: ResourceItem; state: string }>[]
  /** Names at which there is nothing. */
  removed: readonly string[]
}>

/**
 * Asks for each name by itself, with the rules of this moment.
 * @returns undefined when only a listing of the whole folder can tell
 */
export async function changedItems(
  context: FileContext,
  folder: Path,
  names: readonly string[],
): Promise<ChangedItems | undefined> {
  if (!names.every(canBeAsked)) return undefined
  const items = []
  const removed = []
  for (const name of names) {
    const entry = await entryOf(context, childOf(folder, name))
    if (entry === 'nothing') removed.push(name)
    else if (entry !== 'hidden') items.push({ item: itemOf(entry), state: stateOf(entry) })
  }
  return { items, removed }
}

/** A name that is not UTF-8 is reported with U+FFFD. */
function canBeAsked(name: string) {
  return !name.includes('\ufffd') && !concernsSubtitles(name)
}

/** The disk refuses what rules block by its true path, also when there is nothing. @throws what says nothing about the entry */
async function entryOf({ principal, disk, signal }: FileContext, path: Path): Promise<Entry | 'nothing' | 'hidden'> {
  if (isBlocked(principal, path)) return 'hidden'
  try {
    const entry = await disk.stat(authorize(principal, 'see', path), signal)
    return isHidden(principal, entry) ? 'hidden' : entry
  } catch (error) {
    if (error instanceof Failure && error.code === 'notFound') return 'nothing'
    if (error instanceof Failure && error.code === 'forbidden') return 'hidden'
    throw error
  }
}

function stateOf({ version, mode, isDir, isSymlink, size, modified, unreachable }: Entry) {
  return [version, mode, isDir, isSymlink, size, modified, unreachable].join(' ')
}
