import { authorize, isBlocked } from '../access/authorize.ts'
import { pathsOf } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import { childOf, isWithin, type Path, rootPath } from '../base/paths.ts'
import type { ResourceItem } from '../contract/files.ts'
import type { Entry, FolderWatch } from '../disk/disk.ts'
import { itemOf } from './resource.ts'
import { concernsSubtitles } from './subtitles.ts'
import { rfc3339 } from './times.ts'
import { type FileContext, isHidden } from './walk.ts'

export type { ChangedItems, FolderWatch }

/** What following a folder needs of one principal's files, at this moment. */
export class FolderFollowing {
  readonly #context: FileContext

  constructor(context: FileContext) {
    this.#context = context
  }

  /**
   * Watches a folder until the signal is aborted or the watch is closed. Its names are for `changedItems` and for nobody else: no
   * rules were applied. @throws Failure('notFound' | 'forbidden' | 'invalid' when it is no folder | 'busy')
   */
  watch(folder: Path, signal: AbortSignal): Promise<FolderWatch> {
    const { principal, disk } = this.#context
    return disk.watch(authorize(principal, 'read', folder), signal)
  }

  /** What stands at some names of a folder now. @returns undefined when only a listing can tell */
  changedItems(folder: Path, names: readonly string[]): Promise<ChangedItems | undefined> {
    return changedItems(this.#context, folder, names)
  }

  /** When names were last added to a folder or removed, as in its listing. */
  async modifiedAt(folder: Path): Promise<string> {
    const { principal, disk, signal } = this.#context
    return rfc3339((await disk.stat(authorize(principal, 'read', folder), signal)).modified)
  }

  /** Whether the rules, permissions and scope are those of another moment. */
  hasRightsOf(other: FolderFollowing): boolean {
    const { rules, permissions, scope, base } = this.#context.principal
    const { principal } = other.#context
    return (
      rules === principal.rules && permissions === principal.permissions && scope === principal.scope && base === principal.base
    )
  }

  /** A path in the served root, as events carry it. */
  servedPath(path: Path): Path {
    return pathsOf(this.#context.principal, path).served
  }

  /** The principal's path of a path in the served root; undefined when it lies outside, or may not be seen. */
  ownPath(served: Path): Path | undefined {
    const root = this.servedPath(rootPath)
    if (!isWithin(served, root)) return undefined
    const path = (root === '/' ? served : served.slice(root.length) || '/') as Path
    return isBlocked(this.#context.principal, path) ? undefined : path
  }
}

/** What stands at some names of a folder now. What the principal may not see is in none of the lists. */
type ChangedItems = Readonly<{
  /** `state` changes whenever the item does. */
  items: readonly Readonly<{ item: ResourceItem; state: string }>[]
  /** Names at which there is nothing. */
  removed: readonly string[]
}>

/**
 * Asks for each name by itself, with the rules of this moment.
 * @returns undefined when only a listing of the whole folder can tell
 */
async function changedItems(context: FileContext, folder: Path, names: readonly string[]): Promise<ChangedItems | undefined> {
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
    const entry = await disk.stat(authorize(principal, 'read', path), signal)
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
