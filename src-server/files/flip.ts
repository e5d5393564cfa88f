// Takes a change back, or makes it again: each is the reverse of how things stand now, and is done only where they stand as they were left.
import { authorize, isAllowed } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { neverAborted } from '../base/or-aborted.ts'
import { nameOf, type Path, parentOf } from '../base/paths.ts'
import type { HowChanged } from '../contract/history.ts'
import type { Action } from '../contract/permissions.ts'
import { type Entry, type KeepHow, NoTrash, type TrashedItem, type TrashHow } from '../disk/disk.ts'
import type { FileAct } from '../events/events.ts'
import type { Deed, Trace } from '../state/history-store.ts'
import type { Trash } from '../trash/trash.ts'
import { type DeedSink, isSameFile, traceOf } from './deeds.ts'
import { ensureFolder } from './folders.ts'
import { resumeMoveStep } from './resume.ts'
import { intoTrash, moveStep, type Step, shapeOf } from './steps.ts'
import { entryAt, type FileContext, isEnterable } from './walk.ts'

/** Something is not as it was left, so that a change of it can be neither undone nor made again. */
export class NotAsLeft extends Failure {
  readonly how: HowChanged

  constructor(how: HowChanged, options?: ErrorOptions) {
    super('conflict', 'it is not as it was left', options)
    this.how = how
  }
}

export type FlipParts = Readonly<{
  /** Its changes are told to nobody who keeps them. */
  context: FileContext
  /** Undefined on a server without a trash. */
  trash: Trash | undefined
  /** Puts an item back. @param replacing how the file that has the name is kept; without it the name is free */
  putBack(id: string, to: Path, context: FileContext, replacing?: KeepHow): Promise<void>
  /** Folders that were made again. */
  folders: Pick<DeedSink, 'presentIdentity' | 'remade'> | undefined
}>

export type FlipHow = Readonly<{
  /** The id that something gets in the trash: the same one when it is tried again. */
  item: string
  /** It may have been done already, and broke off. */
  continues: boolean
  /** Whether something may go back to another file system, which takes as long as a copy. */
  mayCross: boolean
  /** Whether a folder is what the act is about, which is missed where it is gone. */
  isMain?: boolean
}>

export type OwnDeed = Deed<Path>
export type DeedOf<W extends Deed['what']> = Extract<OwnDeed, { what: W }>

/** `run`: @returns the deed as it is then. */
export type Flip = Readonly<{ act: FileAct; run(): Promise<OwnDeed>; learned?: Step['learned'] }>

/**
 * Checks the reverse of a deed, and changes nothing.
 * @returns what does it; the deed as it is now, when that was done already @throws NotAsLeft, Failure('forbidden')
 */
export async function flipOf(parts: FlipParts, deed: OwnDeed, how: FlipHow): Promise<Flip | OwnDeed> {
  const flipped = how.continues ? await flippedAlready(parts, deed, how) : undefined
  if (flipped) return flipped
  switch (deed.what) {
    case 'entry':
      return deed.item === undefined ? intoTrashAgain(parts, deed, how) : outOfTrash(parts, deed, deed.item)
    case 'content':
      return exchange(parts, deed, how)
    case 'move':
      return moveBack(parts, deed, how)
    case 'folder':
      if (!deed.isGone) return removeEmpty(parts, deed, how)
      return deed.item === undefined ? makeAgain(parts, deed) : outOfTrash(parts, deed, deed.item)
    case 'lost':
      throw new NotAsLeft(deed.why)
  }
}

/** Why the reverse is impossible, as far as that is known without asking the disk. */
export function whyNotFlip({ trash, context }: Pick<FlipParts, 'trash' | 'context'>, deed: OwnDeed, mayCross: boolean) {
  if (deed.what === 'lost') return deed.why
  if (deed.what === 'move' && deed.isAcross && !mayCross) return 'across'
  const item = deed.what === 'move' ? undefined : deed.item
  if (item !== undefined && !trash?.get(item)) return goneAs({ trash }, item)
  if (needsOf(deed).some(({ action, path }) => !isAllowed(context.principal, action, path))) return 'forbidden'
  const isToTrash = deed.what === 'content' || (deed.what === 'entry' && item === undefined)
  return isToTrash && !context.trash ? 'noTrash' : undefined
}

/** What a person must be allowed to do for the reverse. */
function needsOf(deed: Exclude<OwnDeed, DeedOf<'lost'>>): readonly Readonly<{ action: Action; path: Path }>[] {
  const here = (action: Action) => ({ action, path: deed.at })
  switch (deed.what) {
    case 'entry':
      return [here(deed.item === undefined ? 'delete' : 'create')]
    case 'content':
      return [here('create'), here('modify')]
    case 'move':
      return [here('rename'), { action: 'rename', path: deed.from }]
    case 'folder':
      return [here(deed.isGone ? 'create' : 'delete')]
  }
}

async function intoTrashAgain(parts: FlipParts, deed: DeedOf<'entry'>, how: FlipHow): Promise<Flip> {
  const { context } = parts
  const entry = await assertAsLeft(parts, deed)
  authorize(context.principal, 'delete', deed.at)
  if (!context.trash) throw new NotAsLeft('noTrash')
  const id = idFor(parts, deed, how)
  const run = async (): Promise<OwnDeed> => {
    // Uploads know a folder by the name that it has had last.
    const as = deed.as && deed.isDir ? { ...deed.as, name: nameOf(deed.at) } : deed.as
    const item = await trashIt(parts, entry, { deed, id, as })
    return { ...deed, item: item.id, trace: traceInTrash(deed.trace, item) }
  }
  return { act: { kind: 'delete', path: deed.at, trash: id, ...shapeOf(entry) }, run }
}

async function outOfTrash(parts: FlipParts, deed: DeedOf<'entry' | 'folder'>, id: string): Promise<Flip> {
  const { context, folders } = parts
  const { at } = deed
  const isDir = deed.what === 'folder' || deed.isDir
  await assertTrashed(parts, id, { ...deed, isDir })
  authorize(context.principal, 'create', at)
  await assertFree(context, at)
  const run = async (): Promise<OwnDeed> => {
    await parts.putBack(id, at, context).catch((error: unknown) => {
      throw isNotFound(error) && !parts.trash?.get(id) ? new NotAsLeft(goneAs(parts, id), { cause: error }) : error
    })
    const trace = await traceNow(context, at)
    if (deed.what === 'folder') {
      await folders?.remade(deed.trace.identity, trace.identity)
      return { ...backAgain(deed), trace }
    }
    const { item: _, ...rest } = deed
    return { ...rest, trace, was: id }
  }
  return { act: { kind: 'restore', path: at, to: at, isDir, trash: id }, run }
}

/** The present content goes into the trash, and the other one gets the name at once. */
async function exchange(parts: FlipParts, deed: DeedOf<'content'>, how: FlipHow): Promise<Flip> {
  const { context, trash } = parts
  const { at } = deed
  await assertTrashed(parts, deed.item)
  authorize(context.principal, 'create', at)
  authorize(context.principal, 'modify', at)
  // It broke off between the two, where no file has two names.
  const id = how.continues ? (deed.was ?? how.item) : idFor(parts, deed, how)
  const isHalf = how.continues && trash?.get(id) !== undefined
  const entry = isHalf ? await assertFree(context, at) : await assertAsLeft(parts, { ...deed, isDir: false })
  if (!context.trash) throw new NotAsLeft('noTrash')
  const { trash: using, person } = context.trash
  const run = () =>
    context.disk.batch(async (disk): Promise<OwnDeed> => {
      context.signal.throwIfAborted()
      // Whoever asked for it may leave before it is known what came of it.
      const lasting = { ...context, disk, signal: neverAborted }
      const check: TrashHow['check'] = () => assertAsLeft({ ...parts, context: lasting }, { ...deed, isDir: false })
      const keeping = entry && { ...using.keeping(person, {}), id, check, isRequired: true }
      await parts.putBack(deed.item, at, lasting, keeping).catch(asNotAsLeft)
      return { ...deed, item: id, was: deed.item, trace: await traceNow(lasting, at) }
    })
  return { act: { kind: 'restore', path: at, to: at, isDir: false, trash: deed.item }, run }
}

async function moveBack(parts: FlipParts, going: DeedOf<'move'>, { continues, mayCross }: FlipHow): Promise<Flip | OwnDeed> {
  const { context, folders } = parts
  const { isGoing: _, half: __, goingAt, isMeant = false, ...deed } = going
  const { at, from, isAcross } = deed
  if (isMeant && (await wasNotMade(parts, deed))) return { ...deed, isNotMade: true }
  if (isAcross && !mayCross) throw new NotAsLeft('across')
  const isHalf = isAcross && (await isHalfAt(context, going, continues))
  // All of it may be there already.
  if (isHalf && (await entryAt(context, at))) await assertAsLeft(parts, deed)
  if (!isHalf) {
    const entry = await assertAsLeft(parts, deed)
    const taken = await entryAt(context, from)
    // It broke off while the file had both names: it has lost none of them yet.
    const isBoth = (continues || isMeant) && taken && (await isSameFile(context, entry, taken))
    if (taken && !isBoth) throw new NotAsLeft('taken')
  }
  const guard = () => assertAsLeft(parts, deed)
  const how = { override: false, rename: false, guard, mayCross: isAcross === true }
  const was = { ...deed.trace, isDir: deed.isDir }
  const step = isHalf
    ? await resumeMoveStep(context, at, from, { ...how, at: goingAt, was })
    : await moveStep(context, at, from, how)
  const run = async (): Promise<OwnDeed> => {
    await step.run()
    const trace = await traceNow(context, from)
    if (!deed.other) return { ...deed, at: from, from: at, trace }
    // Other acts know it as what it was here before it went.
    for (const part of ['identity', 'version'] as const) await folders?.remade(deed.other[part], trace[part])
    return { ...deed, at: from, from: at, trace, other: deed.trace }
  }
  return { act: step.act, run }
}

/** Whether an entry that was to be moved is where it was. */
async function wasNotMade(parts: FlipParts, deed: DeedOf<'move'>): Promise<boolean> {
  const isThere = (await differenceAt(parts, deed)) === undefined
  return !isThere && (await differenceAt(parts, { ...deed, at: deed.from })) === undefined
}

/** Whether what is at the end of a way is a part of the entry which that way has put there. */
async function isHalfAt(context: FileContext, { isGoing, half, from }: DeedOf<'move'>, continues: boolean): Promise<boolean> {
  if (!isGoing) return false
  // After a kill nothing identifies it: it was free just before.
  return half === undefined ? continues : half === (await identityAt(context, from))
}

/** @returns '' where nothing identifies it, or nothing is there */
export async function identityAt({ principal, disk, signal }: FileContext, path: Path): Promise<string> {
  return disk.identify(authorize(principal, 'read', path), signal).catch((error: unknown) => {
    if (error instanceof Failure) return ''
    throw error
  })
}

function backAgain({ isGone: _, item: __, ...there }: DeedOf<'folder'>): DeedOf<'folder'> {
  return there
}

async function makeAgain({ context, folders }: FlipParts, deed: DeedOf<'folder'>): Promise<Flip | OwnDeed> {
  const { at, like } = deed
  const there = backAgain(deed)
  const capability = authorize(context.principal, 'create', at)
  const taken = await entryAt(context, at)
  if (taken?.isDir) return { ...there, trace: await traceOf(context, taken) }
  if (taken) throw new NotAsLeft('taken')
  const entry = like && { ...emptyFolder(at), mode: like.mode, modified: BigInt(like.modified) }
  const run = async (): Promise<OwnDeed> => {
    await ensureFolder(context, parentOf(at))
    await context.disk.makeFolder(capability, entry, context.signal)
    const trace = await traceNow(context, at)
    await folders?.remade(deed.trace.identity, trace.identity)
    return { ...there, trace }
  }
  return { act: { kind: 'upload', path: at, isDir: true }, run }
}

async function removeEmpty(
  parts: FlipParts,
  deed: DeedOf<'folder'>,
  { isMain = false, continues }: FlipHow,
): Promise<Flip | OwnDeed> {
  const { context } = parts
  const { at } = deed
  const capability = authorize(context.principal, 'delete', at)
  const entry = await entryAt(context, at)
  if (!entry && isMain && !continues) throw new NotAsLeft('missing')
  if (!entry) return { ...deed, isGone: true }
  await assertAsLeft(parts, { ...deed, isDir: true })
  if (!(await isEmpty(context, at))) throw new NotAsLeft('notEmpty')
  const like = { mode: entry.mode, modified: String(entry.modified) }
  const run = async (): Promise<OwnDeed> => {
    // Listeners may have taken their time: another one may have its name by now.
    await assertAsLeft(parts, { ...deed, isDir: true })
    await context.disk.remove(capability, context.signal, { folderOnly: true, sparesUploads: true })
    return { ...deed, like, isGone: true }
  }
  return { act: { kind: 'delete', path: at, isDir: true }, run }
}

/** What a deed would be once it has been flipped, when it has: its line may not have been written. */
async function flippedAlready(parts: FlipParts, deed: OwnDeed, { item }: FlipHow): Promise<OwnDeed | undefined> {
  const { context, trash } = parts
  if (deed.what === 'move') {
    const { isGoing: _, half: __, goingAt: ___, isMeant: ____, ...moved } = deed
    const back = { ...moved, at: deed.from, from: deed.at }
    return (await entryAt(context, deed.at)) || (await differenceAt(parts, back)) ? undefined : back
  }
  if (deed.what === 'content') {
    const id = deed.was ?? item
    const isOut = trash?.get(id) && !trash.get(deed.item)
    return isOut ? { ...deed, item: id, was: deed.item, trace: await traceNow(context, deed.at) } : undefined
  }
  if (deed.what === 'folder' && deed.item !== undefined) {
    const isOut = !trash?.get(deed.item) && !(await differenceAt(parts, { ...deed, isDir: true }))
    return isOut ? backAgain(deed) : undefined
  }
  if (deed.what !== 'entry') return undefined
  if (deed.item === undefined) {
    const id = deed.was ?? item
    return trash?.get(id) && !(await entryAt(context, deed.at)) ? { ...deed, item: id } : undefined
  }
  if (trash?.get(deed.item) || (await differenceAt(parts, deed))) return undefined
  const { item: was, ...rest } = deed
  return { ...rest, ...(was !== undefined && { was }) }
}

export type Left = Readonly<{ at: Path; isDir: boolean; trace: Trace }>

/** @throws NotAsLeft */
export async function assertAsLeft(parts: FlipParts, left: Left): Promise<Entry> {
  const entry = await entryAt(parts.context, left.at)
  const how = await differenceOf(parts, entry, left)
  if (how) throw new NotAsLeft(how)
  return entry as Entry
}

async function differenceAt(parts: FlipParts, left: Left): Promise<HowChanged | undefined> {
  return differenceOf(parts, await entryAt(parts.context, left.at), left)
}

export async function differenceOf(
  { context, folders }: FlipParts,
  entry: Entry | undefined,
  { isDir, trace }: Left,
): Promise<HowChanged | undefined> {
  if (!entry) return 'missing'
  if (isEnterable(entry) !== isDir) return 'replaced'
  const now = await traceOf(context, entry)
  const present = (known: string) => folders?.presentIdentity(known) ?? known
  if (now.version !== present(trace.version)) return trace.version === '' || now.version === '' ? 'replaced' : 'changed'
  // What was written within the present tick of the clock has no version yet.
  if (trace.version === '' && trace.identity === '') return 'cannotTell'
  return now.identity === present(trace.identity) ? undefined : 'replaced'
}

/** @throws NotAsLeft */
async function assertFree(context: FileContext, path: Path): Promise<undefined> {
  if (await entryAt(context, path)) throw new NotAsLeft('taken')
}

/** @param left what was trashed: another program may have put it back @throws NotAsLeft */
async function assertTrashed(parts: FlipParts, id: string, left?: Left): Promise<void> {
  const { trash } = parts
  if (trash?.get(id)) return
  if (left && !(await differenceAt(parts, left))) trash?.restored.noteRestored(id)
  throw new NotAsLeft(goneAs(parts, id))
}

/** Why something is not in the trash any more. */
const goneAs = ({ trash }: Pick<FlipParts, 'trash'>, id: string) => (trash?.restored.isRestored(id) ? 'restored' : 'purged')

/** The one that it had there before: other acts may name it. */
function idFor({ trash }: FlipParts, { was }: { was?: string | undefined }, { item }: FlipHow): string {
  return was !== undefined && !trash?.get(was) ? was : item
}

const isNotFound = (error: unknown): boolean => error instanceof Failure && error.code === 'notFound'

function asNotAsLeft(error: unknown): never {
  throw error instanceof NoTrash ? new NotAsLeft('noTrash', { cause: error }) : error
}

/** `below`: compares what is in a folder. @param folder its true path */
type IntoTrash = Readonly<{ deed: Left; id: string; as?: TrashHow['as']; below?(folder: Path): Promise<void> }>

/** Compares again, now that nothing of this process changes the entry. */
export async function trashIt(parts: FlipParts, entry: Entry, { deed, id, as, below }: IntoTrash): Promise<TrashedItem> {
  const { context } = parts
  const using = context.trash
  if (!using) throw new NotAsLeft('noTrash')
  const check: TrashHow['check'] = async ({ from }) => {
    await assertAsLeft(parts, deed)
    await below?.(from)
  }
  const trashHow = { ...using.trash.howFor(using.person), id, as, check }
  return intoTrash(context, entry, { action: 'delete', how: trashHow }).catch(asNotAsLeft)
}

/** Some file systems make another object of what is renamed. */
function traceInTrash(trace: Trace, { identity }: TrashedItem): Trace {
  return trace.version === '' ? { identity, version: '' } : trace
}

async function traceNow(context: FileContext, path: Path): Promise<Trace> {
  const entry = await entryAt(context, path)
  return entry ? traceOf(context, entry) : { identity: '', version: '' }
}

/** Of what is not listed an unfinished upload counts, which may be somebody else's, and a trash. */
async function isEmpty({ principal, disk, signal }: FileContext, folder: Path): Promise<boolean> {
  const how = { forRemoval: true, sparesUploads: true } as const
  try {
    for await (const part of disk.listInParts(authorize(principal, 'read', folder), signal, how))
      if (part.length > 0) return false
    return true
  } catch (error) {
    if (error instanceof Failure && ['busy', 'conflict'].includes(error.code)) return false
    throw error
  }
}

function emptyFolder(path: Path): Omit<Entry, 'mode' | 'modified'> {
  return { name: nameOf(path), path, isDir: true, isSymlink: false, size: 0, version: '' }
}
