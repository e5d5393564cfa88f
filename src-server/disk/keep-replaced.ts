// Keeps what is about to be replaced in a trash: under a second name, so that its own name has either the old content or the new at any
// time. Where no file has two names it is renamed, and a note tells the next start what was meant.
import { randomBytes } from 'node:crypto'
import { systemFor } from './device-limit.ts'
import type { DiskContext } from './disk-context.ts'
import { type KeepHow, modifiedOf, NoTrash, newItemId, type TrashedItem, type TrashHow } from './driver.ts'
import { errnoOf } from './errno.ts'
import { below, identityOf, type PathHandle } from './path-handle.ts'
import { hostPathOf, type PlacedName } from './place-locks.ts'
import { isLinkRefused } from './rename-no-replace.ts'
import { syncFolderShared } from './sync-folder.ts'
import { beginInfo, infoOf, lstatIn, placeOf, untilItStays, writeInfo } from './to-trash.ts'
import { isRemoved, makeTrash, removeEmptyTrash, type Top, type TrashFolder, TrashRemoved, withTops } from './trash-folder.ts'
import { nameInTrash, percentEncoded, trashInfoText } from './trash-info.ts'
import { lastingIdentity, versionOf } from './version.ts'

/** What was kept. One of both ends it. */
type KeptOld = Readonly<{
  item: TrashedItem
  /** Whether nothing has the name until the new entry gets it. */
  isNameFree: boolean
  /** The new entry has the name. */
  settle(): Promise<void>
  /** It failed: the old one has its name as before, and is in no trash, unless another one has its name. */
  revert(): Promise<void>
}>

type Replaced = Readonly<{
  to: PlacedName
  /** The entry with the name: a file or a link. */
  old: PathHandle
  /** The name in the same folder, or the path of the host, that will be renamed to it. */
  next: string
  /** Waits until that can be renamed, which the work of `whileKept` does too. Called only where the name becomes free before. */
  ready?(): Promise<unknown>
}>

/**
 * Keeps an entry before another is renamed over it, under the lock of its name.
 * @returns undefined where there is no trash for it, or it has gone meanwhile
 */
async function keepReplaced(context: DiskContext, replaced: Replaced, how: TrashHow): Promise<KeptOld | undefined> {
  try {
    return await withTops(context, replaced.to, async (tops, above) => {
      for (const top of tops) {
        try {
          return await untilItStays(() => keepIn(context, replaced, { top, how, above })).catch((error: unknown) => {
            // Some file systems that encrypt take 143 bytes.
            if (errnoOf(error) !== 'ENAMETOOLONG') throw error
            return untilItStays(() => keepIn(context, replaced, { top, how, above, most: 100 }))
          })
        } catch (error) {
          if (errnoOf(error) === 'ENOENT') return undefined
          if (errnoOf(error) !== 'EXDEV') throw error
        }
      }
      return undefined
    })
  } catch (error) {
    if (error instanceof NoTrash) return undefined
    throw error
  }
}

/**
 * Does work that replaces an entry, which is kept when the work has succeeded.
 * @param replace is told whether nothing has the name any more
 * @returns what the work returns @throws NoTrash when it cannot be kept, and has to be
 */
export async function whileKept<T>(
  context: DiskContext,
  replaced: Replaced,
  how: KeepHow,
  replace: (isNameFree: boolean) => Promise<T>,
): Promise<T> {
  const isWanted = how.unlessVersion === undefined || versionOf(replaced.old.stats) !== how.unlessVersion
  const { ready } = replaced
  const kept = isWanted
    ? await keepReplaced(context, replaced, how).catch(async (error: unknown) => {
        // That other work has failed too is told first, whatever it was: it may be the loss of the new content.
        await ready?.()
        throw error
      })
    : undefined
  if (isWanted && !kept && how.isRequired) throw new NoTrash('what has the name cannot be kept')
  let done: T
  try {
    done = await replace(kept?.isNameFree ?? false)
  } catch (error) {
    await kept?.revert()
    throw error
  }
  await kept?.settle()
  if (kept) how.onKept?.(kept.item)
  return done
}

/** `most`: bytes of a name in the trash. */
type Where = Readonly<{ top: Top; how: TrashHow; above: readonly string[]; most?: number }>

async function keepIn(context: DiskContext, replaced: Replaced, { top, how, above, most }: Where): Promise<KeptOld> {
  await how.notePlace(placeOf(context, top, how.owner))
  const trash = await makeTrash(context, top, how.owner)
  // A version of a file has company of its name there, so that it is marked at once.
  const name = nameInTrash(replaced.to.name, randomBytes(4).toString('hex'), most)
  const kept = new Kept(context, trash, { ...replaced, name })
  try {
    const { to, old } = replaced
    const found = { found: { folder: to.folder, name: to.name, handle: old }, folder: to.folder, path: hostPathOf(to) }
    const info = { ...infoOf(context, { ...found, how, above, id: how.id ?? newItemId() }), why: 'replace' } as const
    const infoFile = { name: `${name}.trashinfo`, text: Buffer.from(trashInfoText(info)) }
    await kept.keep(await beginInfo(context, trash.info, infoFile))
    const { hostPath: _, ...known } = info
    const identity = lastingIdentity(old.stats, context.rootDevice)
    const item = { ...known, owner: how.owner, top: top.path, name, isDir: false, modified: modifiedOf(old.stats), identity }
    return { item, isNameFree: kept.isRenamed, settle: () => kept.settle(), revert: () => kept.revert() }
  } catch (error) {
    const isGone = errnoOf(error) === 'ENOENT' && isRemoved(trash)
    await kept.revert().catch(() => {})
    if (isGone) throw new TrashRemoved({ cause: error })
    await removeEmptyTrash(context, top, how.owner).catch(() => {})
    throw error
  }
}

type Keeping = Replaced & Readonly<{ name: string }>

/** One entry on its way into a trash. */
class Kept {
  readonly #context: DiskContext
  readonly #trash: TrashFolder
  readonly #keeping: Keeping
  /** How it got its name there. */
  #how: 'link' | 'rename' | undefined

  constructor(context: DiskContext, trash: TrashFolder, keeping: Keeping) {
    this.#context = context
    this.#trash = trash
    this.#keeping = keeping
  }

  get isRenamed(): boolean {
    return this.#how === 'rename'
  }

  /** @param syncInfo makes the information durable */
  async keep(syncInfo: () => Promise<void>): Promise<void> {
    const { to } = this.#keeping
    try {
      await systemFor(this.#context, to.folder).link(this.#old, this.#kept)
      this.#how = 'link'
    } catch (error) {
      // It also closes the file.
      await syncInfo()
      if (!isLinkRefused(error)) throw error
      // The name is free until then.
      await this.#keeping.ready?.()
      await this.#rename()
      return syncFolderShared(this.#context, this.#trash.files)
    }
    // All at once, which is one write for most file systems. Both end, so that nothing is written to what a failure removes.
    const synced = await Promise.allSettled([syncInfo(), syncFolderShared(this.#context, this.#trash.files)])
    for (const one of synced) if (one.status === 'rejected') throw one.reason
  }

  /** For a moment the name is free: after a kill the note tells what was to get it, and what it had. */
  async #rename() {
    const { to, next } = this.#keeping
    const text = [next.startsWith('/') ? next : `${to.folderPath}/${next}`, hostPathOf(to), '']
    const encoded = text.map((path) => percentEncoded(Buffer.from(path))).join('\n')
    await writeInfo(this.#context, this.#trash.info, { name: this.#note, text: Buffer.from(encoded) })
    await systemFor(this.#context, to.folder).rename(this.#old, this.#kept)
    this.#how = 'rename'
  }

  async settle(): Promise<void> {
    try {
      if (this.#how === 'rename') await this.#unlinkIn(this.#trash.info, this.#note)
    } finally {
      this.#trash.close()
    }
  }

  async revert(): Promise<void> {
    try {
      const { to, old } = this.#keeping
      const present = await lstatIn(this.#context, to.folder, to.name)
      // Another entry has the name after all: only what came after that has failed.
      const isReplaced = this.#how !== undefined && present !== undefined && identityOf(present) !== old.identity
      if (!isReplaced && this.#how === 'rename') await systemFor(this.#context, to.folder).rename(this.#kept, this.#old)
      if (!isReplaced && this.#how === 'link') await systemFor(this.#context, this.#trash.files).unlink(this.#kept)
      if (isReplaced) return await this.#unlinkIn(this.#trash.info, this.#note)
      for (const name of [`${this.#keeping.name}.trashinfo`, this.#note]) await this.#unlinkIn(this.#trash.info, name)
    } finally {
      this.#trash.close()
    }
  }

  async #unlinkIn(folder: PathHandle, name: string) {
    await systemFor(this.#context, folder)
      .unlink(below(folder, name))
      .catch(() => {})
  }

  get #old() {
    return below(this.#keeping.to.folder, this.#keeping.to.name)
  }

  get #kept() {
    return below(this.#trash.files, this.#keeping.name)
  }

  get #note() {
    return `${this.#keeping.name}.replacing`
  }
}
