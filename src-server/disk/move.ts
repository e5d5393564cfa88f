import { Failure } from '../base/failure.ts'
import { systemFor } from './device-limit.ts'
import { type DiskContext, type FoundName, type GrantedPath, ignoringNotFound, resolveName } from './disk-context.ts'
import { CrossDevice, type MoveHow } from './driver.ts'
import { errnoOf } from './errno.ts'
import { whileKept } from './keep-replaced.ts'
import { below, type PathHandle } from './path-handle.ts'
import { hostPathOf, placedName, withPlaces } from './place-locks.ts'
import { namesIn } from './read-trash.ts'
import { assertMovable } from './remove.ts'
import { renameNoReplace, seenAt } from './rename-no-replace.ts'
import { withResolvedPath } from './resolve-beneath.ts'
import { syncFolderHandle } from './sync-folder.ts'
import { noteMoved } from './temporary-file.ts'
import { isTemporaryName } from './temporary-names.ts'

type Ends = Readonly<{ from: FoundName; to: FoundName; handle: PathHandle }>

/** Acts on a link itself. Onto itself: nothing. A name that differs in case alone works where the file system takes both for one. */
export async function move(context: DiskContext, source: GrantedPath, target: GrantedPath, how: MoveHow): Promise<void> {
  await withResolvedPath(context, source, false, (from) =>
    withResolvedPath(context, target, false, async (to) => {
      const moves = assertMovable(context, from).kind === 'folder'
      if (from.folder.identity === to.folder.identity && from.name === to.name) return
      const toPlace = placedName(context, target, to, false)
      const claimed = [placedName(context, source, from, false), toPlace].map((place) => ({ place, moves }))
      const { replace, finishes = false, keepReplaced } = how
      const keep: LockedMove['keep'] = (old, rename) =>
        keepReplaced ? whileKept(context, { to: toPlace, old, next: hostPathOf(from) }, keepReplaced, rename) : rename()
      const check = () => how.check?.({ from: from.truePath ?? source.path, to: to.truePath ?? target.path })
      await withPlaces(context, claimed, () => moveNow(context, { from, to }, { replace, finishes, moves, check, keep }))
      if (moves) await noteMoved(context, hostPathOf(from), hostPathOf(to))
      // The new name is durable before the old one is removed.
      await syncFolderHandle(context, to.folder)
      if (from.folder.identity !== to.folder.identity) await syncFolderHandle(context, from.folder)
    }),
  )
}

/** `moves`: whether a folder is moved, whose paths are locked then. */
type LockedMove = Readonly<{
  replace: boolean
  finishes: boolean
  moves: boolean
  check(): Promise<unknown> | undefined
  /** Does a rename over a file or a link, which is kept when that was asked. */
  keep(old: PathHandle, rename: () => Promise<void>): Promise<void>
}>

const replacedMeanwhile = () => new Failure('conflict', 'the file was replaced meanwhile')

// The names are resolved again under their locks, because an upload to one of them may just have been acknowledged.
async function moveNow(context: DiskContext, { from, to }: Pick<Ends, 'from' | 'to'>, how: LockedMove) {
  const { moves, check } = how
  if (to.name === '') throw new Failure('conflict', 'a folder is in the way')
  const source = await resolveName(context, from.folder, from.name)
  try {
    const handle = assertMovable(context, source)
    if (moves !== (handle.kind === 'folder')) throw replacedMeanwhile()
    const target = await resolveName(context, to.folder, to.name)
    try {
      await check()
      await moveThing(context, { from: source, to: target, handle }, how)
    } finally {
      target.handle?.close()
    }
  } finally {
    source.handle?.close()
  }
}

async function moveThing(context: DiskContext, ends: Ends, how: LockedMove) {
  const { replace } = how
  const { to, handle } = ends
  try {
    if (to.alias !== undefined) await respell(context, ends)
    else if (to.handle?.identity === handle.identity) await moveToSecondName(context, ends, how)
    else if (replace && to.handle) await replaceThing(context, ends, how)
    else if (handle.kind === 'folder') await moveFolder(context, ends)
    else await moveFile(context, ends)
  } catch (error) {
    if (errnoOf(error) === 'EXDEV') throw new CrossDevice('source and target lie on different file systems', { cause: error })
    if (errnoOf(error) === 'EINVAL' && handle.kind === 'folder') {
      throw new Failure('invalid', 'a folder cannot be moved into itself', { cause: error })
    }
    throw error
  }
}

/** The file system treats the new name as equal to an existing one: that of the source itself, else it is a conflict. */
async function respell(context: DiskContext, { from, to, handle }: Ends) {
  const isOwn = to.alias === handle.identity && to.folder.identity === from.folder.identity
  if (!isOwn) throw new Failure('conflict', 'the name is taken in another spelling')
  await systemFor(context, from.folder).rename(addressOf(from), addressOf(to))
}

/** Hard links of one file, between which rename() does nothing. A folder with two names by a bind mount is unchanged. */
async function moveToSecondName(context: DiskContext, { from, to, handle }: Ends, { replace, finishes }: LockedMove) {
  // With more names than the two it is no move that broke off.
  if (!replace && !(finishes && (await namesOf(context, { from, to, handle })) === 2n))
    throw new Failure('conflict', 'the name is taken')
  if (handle.kind === 'folder') return
  assertMovable(context, to)
  // Both lead to its only name, as a bind mount of a file does.
  if (handle.stats.nlink < 2n) throw new Failure('conflict', 'the name is taken')
  // The new name may be as young as the kill that has interrupted a move, and is the only one from here on.
  await syncFolderHandle(context, to.folder)
  await systemFor(context, from.folder).unlink(addressOf(from))
}

/** How many names a file has without hidden ones in the two folders, which a kill leaves of a file that had just been written. */
async function namesOf(context: DiskContext, { from, to, handle }: Ends): Promise<bigint> {
  let names = handle.stats.nlink
  if (names === 2n) return names
  const folders = from.folder.identity === to.folder.identity ? [to.folder] : [from.folder, to.folder]
  for (const folder of folders) {
    for (const name of (await namesIn(folder)).filter(isTemporaryName)) {
      const found = await ignoringNotFound(seenAt(context, { folder, name }))
      if (found?.identity === handle.identity) names--
    }
  }
  return names
}

async function replaceThing(context: DiskContext, { from, to, handle }: Ends, { keep }: LockedMove) {
  const taken = assertMovable(context, to)
  if (taken.kind === 'special') throw new Failure('forbidden', 'a device, pipe or socket is in the way')
  if ((taken.kind === 'folder') !== (handle.kind === 'folder')) {
    throw new Failure('conflict', 'a folder and a file cannot replace each other')
  }
  const rename = () => systemFor(context, from.folder).rename(addressOf(from), addressOf(to))
  // Of folders only an empty one is replaced.
  await (taken.kind === 'folder' ? rename() : keep(taken, rename))
}

/** The name is free under its lock. What another program puts there meanwhile is replaced only when it is an empty folder. */
export async function moveFolder(context: DiskContext, { from, to }: Ends) {
  if (to.handle) throw new Failure('conflict', 'the name is taken')
  await systemFor(context, to.folder).rename(addressOf(from), addressOf(to))
}

export async function moveFile(context: DiskContext, { from, to, handle }: Ends) {
  if ((await renameNoReplace(context, from, to)) === 'new') return
  const moved = await seenAt(context, to)
  try {
    await syncFolderHandle(context, to.folder)
    const old = await ignoringNotFound(seenAt(context, from))
    if (old?.identity === moved.identity) return await systemFor(context, from.folder).unlink(addressOf(from))
    // Not a file that another program has put there since: as if it had done so after the move.
    if (old?.identity === handle.identity) throw replacedMeanwhile()
  } catch (error) {
    // Removes the new name again, if that belongs to the file still and is not the only one.
    const [old, free] = [await ignoringNotFound(seenAt(context, from)), await ignoringNotFound(seenAt(context, to))]
    const isOwn = free?.identity === moved.identity && old?.identity === moved.identity
    if (isOwn) await systemFor(context, to.folder).unlink(addressOf(to))
    throw error
  }
}

function addressOf({ folder, name }: FoundName) {
  return below(folder, name)
}
