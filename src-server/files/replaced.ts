// Finds again what a job has done before it broke off, and notes it: perhaps nobody was told.
import { createHash } from 'node:crypto'
import { authorize } from '../access/authorize.ts'
import { type Principal, pathsOf } from '../access/principal.ts'
import type { Path } from '../base/paths.ts'
import type { Entry, TrashedItem } from '../disk/disk.ts'
import type { Source } from '../events/events.ts'
import type { Trace } from '../state/history-store.ts'
import { noteFolder, noteWritten } from './deeds.ts'
import { type FileContext, isEnterable } from './walk.ts'

/**
 * The ids in the trash of what a job replaces, by path. They are known before anything is replaced, and nobody else can guess them.
 * @returns undefined for what is no job of which the changes are kept
 */
export function replacedAs(principal: Principal, { way, actKey }: Source): FileContext['replacedAs'] {
  if (way !== 'job' || actKey === undefined) return undefined
  return (path) => {
    const { served } = pathsOf(principal, path)
    return createHash('sha256').update(`${principal.userId} ${actKey} ${served}`).digest('hex').slice(0, 32)
  }
}

/** The same context, for changes that are found done: those that the act has already do not count again. */
export function notingAgain(context: FileContext): FileContext {
  const { note } = context
  return note ? { ...context, note: (change) => note(change, true) } : context
}

/** Finds in the trash what came there before a kill, and was not noted. */
export async function compareTrash({ trash, replacedAs }: FileContext): Promise<void> {
  if (trash && replacedAs) await trash.trash.items()
}

/** What the same job has replaced at a path. Call `compareTrash` before. */
function replacedAt({ trash, replacedAs }: FileContext, path: Path): TrashedItem | undefined {
  const id = replacedAs?.(path)
  return id === undefined ? undefined : trash?.trash.get(id)
}

/** Notes that what the same job has replaced at a path is in the trash. Call `compareTrash` before, after a kill. */
export async function noteReplacedBefore(context: FileContext, path: Path): Promise<void> {
  if (!context.note) return
  const item = replacedAt(context, path)
  if (!item) return
  const trace = await traceInTrash(context, path, item)
  notingAgain(context).note?.({ what: 'entry', at: path, isDir: item.isDir, trace, item: item.id })
}

/** What tells it from others, as `traceOf` says it of an entry at a path. */
async function traceInTrash({ disk, principal, signal }: FileContext, path: Path, item: TrashedItem): Promise<Trace> {
  const lasting = { identity: item.identity, version: '' }
  if (item.isDir) return lasting
  try {
    const file = await disk.openTrashed(authorize(principal, 'download', path), item, signal)
    await file.close()
    return file.entry.version === '' ? lasting : { identity: '', version: file.entry.version }
  } catch {
    // A link, or what the person may not read.
    return lasting
  }
}

/**
 * Notes that an entry of a copy is there. What was there before, and is the same by size and time, is not the copy: where entries are
 * merged that alone is noted of which the trash has what it has replaced.
 */
export async function noteCopied(context: FileContext, copy: Entry, { override }: { override: boolean }): Promise<void> {
  if (!context.note) return
  const item = replacedAt(context, copy.path)
  if (!item && override) return
  const again = notingAgain(context)
  if (isEnterable(copy)) await noteFolder(again, copy.path)
  else await noteWritten(again, copy, { isTaken: item !== undefined, item })
}
