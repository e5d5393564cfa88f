// Goes on with a removal that broke off, and finds again what a restore has done.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import { type Entry, newItemId, type TrashedItem } from '../disk/disk.ts'
import type { Trace } from '../state/history-store.ts'
import { noteRestored, traceOf } from './deeds.ts'
import { trulyAt } from './folders.ts'
import { compareTrash, noteDisplaced, noteReplacedBefore, notingAgain } from './replaced.ts'
import { type RemoveTo, removeStep, type Step, shapeOf } from './steps.ts'
import { entryAt, type FileContext, isEnterable } from './walk.ts'

/** What has to be known of an entry to go on with its removal: what tells whether it is the same, and its id in the trash. */
export type Removal = Trace & Readonly<{ isDir: boolean; item: string }>

/** The same, as it was kept: by earlier versions of this program without some of it. */
export type WasRemoved = Readonly<{
  version: string
  isDir: boolean
  identity?: string | undefined
  item?: string | undefined
  size?: number | undefined
  /** When it was begun, in milliseconds since the epoch by the system's clock. */
  at?: number | undefined
}>

export type ResumeRemoveHow = Readonly<{ to: RemoveTo; was: WasRemoved }>

/** @param entry that is to be removed */
export async function removalOf(context: FileContext, entry: Entry): Promise<Removal> {
  return { ...(await traceOf(context, entry)), isDir: entry.isDir, item: newItemId() }
}

/** `isTold`: nobody else is to be told of it. */
export type RemovalStep = Step & Readonly<{ isTold: boolean }>

/** What is found of a removal that broke off. `step`: notes that the entry is in the trash, where it is. */
export async function removedBefore(context: FileContext, path: Path, was: WasRemoved) {
  const present = await entryAt(context, path)
  const sameness = present && (await samenessOf(context, present, was))
  const item = sameness === 'same' ? undefined : await trashedAs(context, path, was.item)
  return { present, sameness, step: item && trashedStep(context, path, was, { item, isTold: present !== undefined }) }
}

/** It was put there by the run that broke off, perhaps before anybody was told. */
function trashedStep(
  context: FileContext,
  path: Path,
  { identity = '', version, isDir }: WasRemoved,
  { item, isTold }: Readonly<{ item: TrashedItem; isTold: boolean }>,
): RemovalStep {
  const deed = { what: 'entry', at: path, isDir: item.isDir, trace: { identity, version }, item: item.id } as const
  const run = async (doing = context) => doing.note?.(deed, true)
  return { act: { kind: 'delete', path, isDir, trash: item.id }, run, isTold }
}

/**
 * Another entry that has the name by now stays.
 * @returns undefined when nothing is left to do
 * @throws Failure('conflict') when another entry has the name, and what was there is not in the trash
 */
export async function resumeRemoveStep(
  context: FileContext,
  path: Path,
  { to, was }: ResumeRemoveHow,
): Promise<RemovalStep | undefined> {
  const { present, sameness, step } = await removedBefore(context, path, was)
  if (step) return step
  if (!present) return undefined
  if (sameness === 'another') throw new Failure('conflict', 'the file has changed')
  return { ...(await removeStep(context, path, { to, item: was.item })), isTold: false }
}

async function samenessOf(context: FileContext, present: Entry, was: WasRemoved): Promise<'same' | 'another' | 'cannot tell'> {
  if (present.isDir !== was.isDir) return 'another'
  const { identity, version } = await traceOf(context, present)
  if (identity !== (was.identity ?? identity)) return 'another'
  if (was.identity === undefined) return present.isDir || present.version === was.version ? 'cannot tell' : 'another'
  if (version !== was.version) return 'another'
  return identity === '' && version === '' ? 'cannot tell' : 'same'
}

/** What a disk has put into its trash from a path, with an id, also when a kill came before it was noted. */
async function trashedAs(context: FileContext, path: Path, id: string | undefined): Promise<TrashedItem | undefined> {
  const { trash, signal } = context
  if (!trash || id === undefined) return undefined
  const known = trash.trash.get(id)
  if (known) return known
  await trash.trash.compareAt([await trulyAt(context, path)], signal)
  return trash.trash.get(id)
}

/** @returns undefined when something else has the path, or nothing */
export async function restoredStep(context: FileContext, id: string, path: Path, was: WasRemoved): Promise<Step | undefined> {
  const present = await entryAt(context, path)
  if (!present || isEnterable(present) !== was.isDir) return undefined
  const identity = await context.disk.identify(authorize(context.principal, 'read', path), context.signal)
  // Where the file system does not number its objects lastingly the size of a file tells it, and nothing does of a folder or a link.
  const isOfSize = !was.isDir && was.size !== undefined && present.size === was.size
  if (identity !== (was.identity ?? '') || (identity === '' && !isOfSize)) return undefined
  const run = async (doing = context) => {
    await compareTrash(doing, path)
    await noteReplacedBefore(doing, path)
    await noteRestored(notingAgain(doing), path, { id })
  }
  return { act: { kind: 'restore', path, to: path, trash: id, ...shapeOf(present) }, run }
}

/** Keeps that what had the path of an item has made way, where the item has not come back. */
export function displacedStep(context: FileContext, id: string, path: Path, { isDir }: WasRemoved): Step {
  const run = async (doing = context) => {
    await compareTrash(doing, path)
    await noteDisplaced(doing, path, await entryAt(doing, path))
  }
  return { act: { kind: 'restore', path, to: path, trash: id, isDir }, run }
}
