// The changes that may take long, as steps: each is checked when it is made and changes nothing before it runs. A request runs it, or
// a job: the signal of the context stops it, and its `report` is told how many entries are done.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { isWithin, type Path, parentOf } from '../base/paths.ts'
import { type Entry, NoTrash, type TrashedItem, type TrashHow } from '../disk/disk.ts'
import type { FileAct } from '../events/events.ts'
import { copyTree } from './copy.ts'
import { isSameFile, noteLost, noteTrashed } from './deeds.ts'
import { ensureFolder } from './folders.ts'
import { freeNameFor } from './free-name.ts'
import { checkBelow, moveTree } from './move.ts'
import { checkPairs } from './pairs.ts'
import { checkRemovable, removeTree } from './remove-below.ts'
import { withRoomAt } from './room.ts'
import { isTooLarge } from './too-large.ts'
import { counterOf, entryAt, type FileContext, isEnterable, type TrashOfPerson } from './walk.ts'

export type Step = Readonly<{
  /** What it does, for the listeners. The paths are the principal's. */
  act: FileAct
  /**
   * @param context the same by default; what it notes are the changes
   * @throws the signal's reason when it was stopped; what is done by then stays
   */
  run(context?: FileContext): Promise<void>
  /** What only its result tells the listeners. */
  learned?(): Partial<FileAct>
}>

export type TransferHow = {
  /** An existing target is replaced; folders are merged. */
  override: boolean
  /** An existing target stays, and the entry gets the next free name. */
  rename: boolean
  /** Called just before an entry is moved, while nothing of this process changes it: it must not go to another file system then. */
  guard?(): Promise<unknown>
  /** It may all the same. The guard is called before it is copied, then. */
  mayCross?: boolean
  /** Called when an entry goes to another file system, just before anything is copied. */
  onAcross?: (() => Promise<void>) | undefined
  /** Of a move: see `Transfer`. */
  goesOn?: boolean
}

/**
 * Where what is deleted goes: into the trash where there is one, else for good, as clients expect that know of none; into the trash
 * alone; or for good.
 */
export type RemoveTo = 'any' | 'trash' | 'nowhere'

/** `item`: the id that it gets in the trash; at random by default. */
export type RemoveHow = Readonly<{ to?: RemoveTo; item?: string | undefined }>

/**
 * Removes a file, a link (never its target) or a whole tree; nothing is removed when the principal may not remove all of it.
 * @throws NoTrash when it is to go into the trash, and cannot, Failure('conflict') when it is too large for that; what it gives throws Failure('full') when it has no space for that
 */
export async function removeStep(context: FileContext, path: Path, { to = 'any', item }: RemoveHow = {}): Promise<Step> {
  authorize(context.principal, 'delete', path)
  refuseRoot(path)
  const source = await existing(context, path)
  if (to === 'nowhere') return removeForGood(context, source)
  const refused = await trashRefusal(context, source, to)
  if (!refused) return trashStep(context, source, { to, item })
  if (to === 'trash') throw refused
  return removeForGood(context, source)
}

/** @param how.run does the step @returns the id in the trash, when it is there @throws as `removeStep` does */
export async function remove(context: FileContext, path: Path, { run, ...how }: RemoveHow & { run(step: Step): Promise<void> }) {
  const step = await removeStep(context, path, how)
  await run(step)
  return { ...step.act, ...step.learned?.() }.trash
}

/** Why something cannot go into the trash, as far as that is known without trying it. */
async function trashRefusal(context: FileContext, source: Entry, to: RemoveTo): Promise<Failure | undefined> {
  if (!context.trash) return new NoTrash('it is off')
  if (!(await isTooLarge(context, source, to))) return undefined
  return new Failure('conflict', 'it is larger than what one person may keep in the trash; ?trash=false deletes it for good')
}

async function trashStep(context: FileContext, source: Entry, { to, item }: RemoveHow): Promise<Step> {
  const { trash, person } = context.trash as TrashOfPerson
  const { id, ...rest } = trash.howFor(person)
  const how = { ...rest, id: item ?? id }
  const act = { kind: 'delete', path: source.path, trash: how.id, ...shapeOf(source) } as const
  let isKept = true
  const run = async (doing = context) => {
    try {
      await withRoomAt(doing, source.path, () => intoTrash(doing, source, { action: 'delete', how }))
    } catch (error) {
      if (error instanceof Failure && error.code === 'full') throw new FullTrash(error)
      if (!(error instanceof NoTrash) || to === 'trash') throw error
      isKept = false
      await (await removeForGood(context, source)).run(doing)
    }
  }
  return { act, run, learned: () => (isKept ? {} : { trash: undefined }) }
}

/** Deleting for good needs no space: the sentence says to any client how to ask for that. */
class FullTrash extends Failure {
  constructor({ cause }: Failure) {
    super('full', 'no space is left to put it into the trash; ?trash=false deletes it for good', { cause })
  }
}

type IntoTrash = Readonly<{ action: 'delete' | 'modify'; how: TrashHow }>

/** Puts an entry into the trash whole; the rules are asked of what is below, while nothing of this process changes it. */
export async function intoTrash(context: FileContext, entry: Entry, { action, how }: IntoTrash): Promise<TrashedItem> {
  const { principal, disk, signal, trash } = context
  const { path } = entry
  const checks = isEnterable(entry) && !principal.rules.isEmpty
  const check: TrashHow['check'] = async (ends) => {
    await how.check?.(ends)
    if (checks) await checkBelow(context, { action, folder: ends.from, starts: [path, ends.from] })
  }
  const item = await disk.toTrash(authorize(principal, action, path), { ...how, check }, signal)
  trash?.trash.added(item)
  noteTrashed(context, entry, item)
  return item
}

async function removeForGood(context: FileContext, source: Entry): Promise<Step> {
  const { path } = source
  if (isEnterable(source)) await context.disk.assertRemovable(authorize(context.principal, 'delete', path), context.signal)
  const onRemoved = counterOf(context, { entries: await checkRemovable(context, source) })
  const run = async (doing = context) => {
    await removeTree(doing, source, onRemoved)
    noteLost(doing, path, 'forGood')
  }
  return { act: { kind: 'delete', path, ...shapeOf(source) }, run }
}

/** Missing folders of the target are created. */
export async function copyStep(context: FileContext, from: Path, to: Path, { override, rename }: TransferHow): Promise<Step> {
  authorize(context.principal, 'download', from)
  const how = { action: 'create', override: override && from !== to, rename } as const
  const { source, target } = await prepare(context, { from, to }, how)
  if (source.unreachable && source.unreachable !== 'broken') throw new Failure('forbidden', 'this cannot be copied')
  const transfer = { source, action: 'download', ...target } as const
  const checked = await checkPairs(context, transfer)
  const onCopied = counterOf(context, checked)
  const run = (doing = context) => copyTree(doing, { ...transfer, bytes: checked.bytes }, onCopied)
  return { act: { kind: 'copy', path: from, to: target.to, ...shapeOf(source) }, run }
}

/** Missing folders of the target are created. */
export async function moveStep(context: FileContext, from: Path, to: Path, how: TransferHow): Promise<Step> {
  authorize(context.principal, 'rename', from)
  const { source, target } = await prepare(context, { from, to }, { ...how, action: 'rename' })
  const transfer = {
    source,
    action: 'rename',
    ...target,
    ...(how.guard && { guard: how.guard, mayCross: how.mayCross ?? false }),
    ...{ onAcross: how.onAcross, goesOn: how.goesOn },
  } as const
  const onMoved = counterOf(context, await checkPairs(context, transfer))
  const run = async (doing = context) => {
    await ensureFolder(doing, parentOf(target.to))
    await moveTree(doing, transfer, onMoved)
  }
  return { act: { kind: 'rename', path: from, to: target.to, ...shapeOf(source) }, run }
}

/** A move onto itself has the checks of a move, and changes nothing. */
export async function checkStaying(context: FileContext, path: Path): Promise<void> {
  authorize(context.principal, 'rename', path)
  refuseRoot(path)
  await existing(context, path)
}

type Ends = Readonly<{ from: Path; to: Path }>

/** Checks that copying and moving share, before any change. */
async function prepare(
  context: FileContext,
  { from, to }: Ends,
  { action, override, rename }: TransferHow & { action: 'create' | 'rename' },
) {
  const { principal } = context
  authorize(principal, action, to)
  refuseRoot(from)
  refuseRoot(to)
  if (from !== to && isWithin(to, from)) throw new Failure('invalid', 'a folder cannot go into itself')
  const source = await existing(context, from)
  const taken = await entryAt(context, to)
  if (!taken) return { source, target: { to, override: false } }
  if (rename) return { source, target: { to: await freeNameFor(context, to), override: false } }
  const isSecondName = action === 'rename' && from !== to && (await isSameFile(context, source, taken))
  if (isSecondName && !override) return { source, target: { to, override, isSecondName } }
  if (!override) throw new Failure('conflict', 'the name is taken')
  authorize(principal, 'create', to)
  authorize(principal, 'modify', to)
  return { source, target: { to, override: true, isSecondName } }
}

/** @throws Failure('notFound') */
export function existing({ principal, disk, signal }: FileContext, path: Path): Promise<Entry> {
  return disk.stat(authorize(principal, 'read', path), signal)
}

/** The fields of an event about an existing entry. */
export function shapeOf({ isDir, size }: Entry) {
  return isDir ? { isDir } : { isDir, bytes: size }
}

function refuseRoot(path: Path) {
  if (path === '/') throw new Failure('forbidden', 'the root folder stays where it is')
}
