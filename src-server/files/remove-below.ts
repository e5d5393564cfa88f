// Removes trees, child by child.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { RemoveHow as DiskRemoveHow, Entry, Inode } from '../disk/disk.ts'
import { TaskGroup } from '../disk/map-limit.ts'
import { entriesAtOnce } from './copy.ts'
import { entryAt, type FileContext, isEnterable, type Walked, walk } from './walk.ts'

/**
 * Checks that all of a tree may be removed.
 * @returns how many entries it has
 * @throws Failure('forbidden') when something below is hidden by rules, Failure('conflict') when a name cannot be removed,
 *   Failure('busy') when somebody is writing into it
 */
export async function checkRemovable(context: FileContext, source: Entry): Promise<number> {
  let count = 0
  await context.disk.batch(async (disk) => {
    for await (const { entry } of childrenFirst({ ...context, disk }, source, 'delete')) {
      count++
      if (entry.unreachable === 'name') throw new Failure('conflict', 'the folder holds a name that is not UTF-8')
    }
  })
  return count
}

/**
 * Removes a file, a link or a tree, which `checkRemovable` has checked.
 * @throws Failure('forbidden') before anything is removed when one of the server's own files is below
 */
export async function removeTree(context: FileContext, source: Entry, onRemoved: () => void): Promise<void> {
  const { principal, signal } = context
  if (await removedAtOnce(() => context.disk.remove(authorize(principal, 'delete', source.path), signal))) return onRemoved()
  await context.disk.batch((disk) => removeAll({ ...context, disk }, source, { action: 'delete', onRemoved }))
}

/** What was copied, by `contentKey`, with the inodes that files had before. */
export type Copied = ReadonlyMap<string, Inode | undefined>

type RemoveHow = Readonly<{
  action: 'delete' | 'rename'
  /** Told of each entry that is gone, also where its removal has failed since. */
  onRemoved?(): void
  /** Told before that of each entry that is gone, or of which nothing tells that it is there: the answer of a disk may be lost. */
  onPerhapsRemoved?(): void
  /** What was copied before: anything else stays. */
  copied?: Copied
  /** Of a move: the new path of the source, where unfinished uploads go. */
  to?: Path
}>

/**
 * Removes all entries below a folder, eight at a time, each folder after its content.
 * @throws Failure('conflict') at the first that was changed since it was copied, which stays
 */
export async function removeAll(context: FileContext, source: Entry, { action, copied, to, ...told }: RemoveHow) {
  const tasks = new TaskGroup(entriesAtOnce)
  const changes = copied && new ChangesSince(copied)
  const removeOne = async ({ entry, capability }: Walked<'delete' | 'rename'>) => {
    const moved = to !== undefined && entry.isDir && `${to}${entry.path.slice(source.path.length)}`
    const uploadsTo = moved ? authorize(context.principal, 'rename', moved as Path) : undefined
    const remove = (how: DiskRemoveHow) => context.disk.remove(capability, context.signal, { ...how, uploadsTo })
    try {
      await (changes ? changes.unlessAny(entry, remove) : remove({}))
    } catch (error) {
      if (!isDeclined(error)) told.onPerhapsRemoved?.()
      if (!isRefused(error) && !(await entryAt(context, entry.path).catch(() => undefined))) told.onRemoved?.()
      throw error
    }
    told.onPerhapsRemoved?.()
    told.onRemoved?.()
  }
  try {
    for await (const step of childrenFirst(context, source, action)) {
      if (isEnterable(step.entry)) await tasks.finish()
      await tasks.add(() => removeOne(step))
    }
    await tasks.finish()
  } finally {
    await tasks.settle()
  }
}

/** Whether a removal was refused before it was tried. Any other error may come after it is done. */
function isDeclined(error: unknown): boolean {
  return error instanceof Failure && ['conflict', 'changed', 'forbidden', 'busy'].includes(error.code)
}

/** Whether a removal has changed nothing; others may fail after it is done. */
const isRefused = (error: unknown): boolean => isDeclined(error) || (error instanceof Failure && error.code === 'notFound')

/** Tells what was changed since it was copied, also where its size and its time are as before. */
class ChangesSince {
  readonly #copied: Copied
  /** By inode: the removal of its first name, which changes it for the others. */
  readonly #firsts = new Map<string, Promise<void>>()

  constructor(copied: Copied) {
    this.#copied = copied
  }

  /** Removes an entry. @throws Failure('conflict') when it was changed */
  async unlessAny(entry: Entry, remove: (how: DiskRemoveHow) => Promise<void>): Promise<void> {
    const key = contentKey(entry)
    if (!this.#copied.has(key)) throw changedMeanwhile()
    const inode = this.#copied.get(key)
    const isVersioned = !entry.isDir && !entry.isSymlink && entry.version !== ''
    const ifVersion = isVersioned && { ifVersion: entry.version }
    const removing = async (ifChanged?: bigint) => {
      await remove({ ...ifVersion, ifChanged }).catch((error: unknown) => {
        throw error instanceof Failure && error.code === 'changed' ? changedMeanwhile() : error
      })
    }
    if (!inode) return removing()
    const first = this.#firsts.get(inode.id)
    if (first) return first.then(() => removing())
    const removed = removing(inode.changed)
    if (inode.names > 1) this.#firsts.set(inode.id, removed)
    return removed
  }
}

/**
 * Identifies the copied content. Versions are not used for folders, which change when entries are moved out, and for links, whose
 * entry describes the target.
 */
export function contentKey({ path, isDir, isSymlink, version }: Entry): string {
  return isDir || isSymlink ? path : `${path} ${version}`
}

export const changedMeanwhile = () => new Failure('conflict', 'something changed while it was moved, and was left where it was')

/**
 * All entries that a removal takes, the source itself last. Each folder is looked at for what would stay in it before anything of it is
 * given, also while they are removed: an upload that has begun meanwhile goes on, with all that is in its folder.
 */
export async function* childrenFirst<N extends 'delete' | 'rename'>(
  context: FileContext,
  source: Entry,
  action: N,
): AsyncGenerator<Walked<N>> {
  if (isEnterable(source))
    yield* walk(context, source.path, { action, hidden: 'refuse', order: 'children first', forRemoval: true })
  yield { entry: source, capability: authorize(context.principal, action, source.path) }
}

/** Removes a file, a link or an empty folder. For a folder above a protected path the disk refuses this before any removal. */
export async function removedAtOnce(remove: () => Promise<void>) {
  try {
    await remove()
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return false
    throw error
  }
}
