// Takes a folder back that an act has made, with all that the act has made in it, as one item of the trash.
import { authorize } from '../access/authorize.ts'
import type { Path } from '../base/paths.ts'
import {
  assertAsLeft,
  type DeedOf,
  differenceOf,
  type Flip,
  type FlipHow,
  type FlipParts,
  type Left,
  NotAsLeft,
  type OwnDeed,
  trashIt,
} from './flip.ts'
import { walkAll, whileOthersWait } from './move.ts'
import { walk } from './walk.ts'

/** `below`: what the act has made in it, by path. */
export type WholeFolder = Readonly<{ folder: DeedOf<'folder'>; below: ReadonlyMap<Path, Left> }>

const forRemoval = { forRemoval: true, sparesUploads: true } as const

/** @throws NotAsLeft when one of the changes is no such folder, or has made nothing in it */
export function wholeFolderOf(folder: OwnDeed, below: readonly OwnDeed[]): WholeFolder {
  if (folder.what !== 'folder') throw new NotAsLeft('failed')
  return { folder, below: new Map(below.map((deed) => [deed.at, leftBy(deed)])) }
}

function leftBy(deed: OwnDeed): Left {
  if (deed.what === 'folder') return { at: deed.at, isDir: true, trace: deed.trace }
  if (deed.what === 'entry') return { at: deed.at, isDir: deed.isDir, trace: deed.trace }
  throw new NotAsLeft('failed')
}

/**
 * Compares all that is in the folder with what the act has made there: nothing may be missing, changed or added.
 * @param truly its true path, which nobody else changes meanwhile
 * @throws NotAsLeft, Failure('forbidden') when the person may not delete all of it, Failure('busy') when it takes too long
 */
export async function assertWhole(parts: FlipParts, { folder, below }: WholeFolder, truly = folder.at): Promise<void> {
  const { principal } = parts.context
  let found = 0
  await whileOthersWait(parts.context, async (context) => {
    // Also what is not listed counts: an unfinished upload, which may be somebody else's, or a trash.
    for await (const { entry } of walk(context, truly, { action: 'delete', ...forRemoval, ...walkAll })) {
      const path = `${folder.at}${entry.path.slice(truly.length)}` as Path
      authorize(principal, 'delete', path)
      const left = below.get(path)
      const how = left ? await differenceOf({ ...parts, context }, entry, left) : 'notEmpty'
      if (how) throw new NotAsLeft(how)
      found++
    }
  })
  if (found < below.size) throw new NotAsLeft('missing')
}

/** Checks it, and changes nothing. @returns as `flipOf` does @throws as `assertWhole` does */
export async function wholeIntoTrash(parts: FlipParts, whole: WholeFolder, how: FlipHow): Promise<Flip | OwnDeed> {
  const { context, trash } = parts
  const { folder } = whole
  const id = how.item
  // Nobody else can guess the id.
  if (how.continues && trash?.get(id)) return { ...folder, isGone: true, item: id }
  const deed = { ...folder, isDir: true }
  const entry = await assertAsLeft(parts, deed)
  authorize(context.principal, 'delete', folder.at)
  if (!context.trash) throw new NotAsLeft('noTrash')
  const like = { mode: entry.mode, modified: String(entry.modified) }
  const run = async (): Promise<OwnDeed> => {
    const item = await trashIt(parts, entry, { deed, id, below: (truly) => assertWhole(parts, whole, truly) })
    return { ...folder, like, isGone: true, item: item.id }
  }
  return { act: { kind: 'delete', path: folder.at, isDir: true, trash: id }, run }
}
