// Goes on with a removal that broke off.
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import { type Entry, newItemId, type TrashedItem } from '../disk/disk.ts'
import type { Trace } from '../state/history-store.ts'
import { traceOf } from './deeds.ts'
import { type RemoveTo, removeStep, type Step } from './steps.ts'
import { entryAt, type FileContext } from './walk.ts'

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

/**
 * Another entry that has the name by now stays.
 * @returns undefined when nothing is left to do; `isTold` when nobody else is to be told of it
 * @throws Failure('conflict') when another entry has the name, and what was there is not in the trash
 */
export async function resumeRemoveStep(
  context: FileContext,
  path: Path,
  { to, was }: ResumeRemoveHow,
): Promise<(Step & { isTold: boolean }) | undefined> {
  const present = await entryAt(context, path)
  const sameness = present && (await samenessOf(context, present, was))
  const item = sameness === 'same' ? undefined : await trashedAs(context, was.item)
  if (item) {
    const { identity = '', version, isDir } = was
    // It was put there by the run that broke off, perhaps before anybody was told.
    const deed = { what: 'entry', at: path, isDir: item.isDir, trace: { identity, version }, item: item.id } as const
    const run = async (doing = context) => doing.note?.(deed, true)
    return { act: { kind: 'delete', path, isDir, trash: item.id }, run, isTold: present !== undefined }
  }
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

/** What a disk has put into its trash with an id, also when a kill came before it was noted. */
async function trashedAs({ trash }: FileContext, id: string | undefined): Promise<TrashedItem | undefined> {
  if (!trash || id === undefined) return undefined
  const known = trash.trash.get(id)
  if (known) return known
  await trash.trash.items()
  return trash.trash.get(id)
}
