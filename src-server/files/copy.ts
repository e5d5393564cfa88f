import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { mayGoOnLater } from '../base/operation.ts'
import { neverAborted } from '../base/or-aborted.ts'
import { type Path, parentOf } from '../base/paths.ts'
import type { TrashedItem } from '../disk/disk.ts'
import { TaskGroup } from '../disk/map-limit.ts'
import { noteFolder, noteFolderRemoved, noteWritten, traceOf } from './deeds.ts'
import { ensureFolder } from './folders.ts'
import { takingName } from './free-name.ts'
import { type Pair, pairsOf, type Transfer } from './pairs.ts'
import { roomAt, whileReserved, withRoomAt } from './room.ts'
import { entryAt, type FileContext, isEnterable, keepingOf } from './walk.ts'

/** Entries of a tree that are copied or removed at a time. */
export const entriesAtOnce = 8

/**
 * Copies a file, a link or a tree, which `checkPairs` has checked. Entries that the principal's rules hide are left out, and so are
 * links that leave the scope. Missing folders of the target are created.
 */
export async function copyTree(context: FileContext, transfer: Transfer<'download'>, onCopied: () => void): Promise<void> {
  await ensureFolder(context, parentOf(transfer.to))
  const left = leftOf(transfer)
  const work = () => context.disk.batch((disk) => copyAll({ ...context, disk, left }, transfer, onCopied))
  await whileReserved(context, transfer.to, { left, work })
}

/** Counts down what is still to be copied, where that was counted. */
export function leftOf({ bytes }: Pick<Transfer, 'bytes'>): FileContext['left'] {
  return bytes === undefined ? undefined : { bytes }
}

async function copyAll(context: FileContext, transfer: Transfer<'download'>, onCopied: () => void): Promise<void> {
  const tasks = new TaskGroup(entriesAtOnce)
  /** While nothing else is copied. */
  let made: Path[] | undefined = []
  try {
    for await (const pair of pairsOf(context, transfer)) {
      // Entries that are removed during the copy are left out; the source itself must not be removed.
      const isFirst = pair.entry === transfer.source
      const write = async () => {
        await writePair(context, pair, { ...transfer, mayVanish: !isFirst, onMade: (path) => void made?.push(path) })
        if (!isEnterable(pair.entry)) made = undefined
        onCopied()
      }
      if (isFirst) await takingName(context, transfer.to, write)
      else if (isEnterable(pair.entry)) await write()
      else await tasks.add(write)
    }
    await tasks.finish()
  } catch (error) {
    await tasks.settle()
    if (made && !mayGoOnLater(context.signal)) await removeMade({ ...context, signal: neverAborted }, made).catch(() => {})
    throw error
  } finally {
    await tasks.settle()
  }
}

/** Removes folders that were made for a copy of which nothing else came, where the person may: they would look like it. */
async function removeMade(context: FileContext, made: readonly Path[]) {
  for (const path of made.toReversed()) {
    const entry = await entryAt(context, path)
    if (!entry) continue
    const trace = await traceOf(context, entry)
    await context.disk.remove(authorize(context.principal, 'delete', path), context.signal, {
      folderOnly: true,
      sparesUploads: true,
    })
    noteFolderRemoved(context, entry, trace)
  }
}

/** `onKept` is told of what it replaces, when that is kept. `instead`: what had the name before somebody took it away. */
type WriteHow = Pick<Transfer, 'action' | 'override'> & {
  mayVanish: boolean
  onKept?: ((item: TrashedItem) => void) | undefined
  /** Told of a folder that was made. */
  onMade?: ((path: Path) => void) | undefined
  instead?: TrashedItem | undefined
}

/**
 * Copies one entry to its target, unless it was removed meanwhile and may be. @throws Failure('notFound') when the target's folder was removed
 */
export async function writePair(context: FileContext, pair: Pair<'download' | 'rename'>, how: WriteHow): Promise<void> {
  const { override } = how
  const { signal } = context
  signal.throwIfAborted()
  const target = authorize(context.principal, how.action === 'rename' ? 'rename' : 'create', pair.to)
  const copy = { ...pair.entry, path: pair.to }
  if (isEnterable(pair.entry)) return writeFolder(context, pair, { target, override, onMade: how.onMade })
  const isTaken = override && context.note !== undefined && (await entryAt(context, pair.to)) !== undefined
  let item = how.instead
  const onKept = (kept: TrashedItem) => {
    item = kept
    how.onKept?.(kept)
  }
  if (pair.entry.isSymlink) {
    await writeLink(context, pair, { target, override, onKept })
    return noteWritten(context, copy, { isTaken, item })
  }
  try {
    const keeping = keepingOf(context, pair.to, { onKept })
    let [told, written] = [0, 0]
    const onBytes = (bytes: number) => {
      told += bytes
      context.transferred?.(bytes, pair.entry.name)
    }
    const left = context.left ?? { bytes: pair.entry.size }
    const onWritten = (bytes: number) => {
      written += bytes
      left.bytes -= bytes
    }
    const onFullDisk = { makeRoom: roomAt(context, pair.to, left), onWritten }
    const how = { replace: override, like: pair.entry, onBytes, ...onFullDisk, ...keeping }
    // A file is whole or not there.
    const dropped = (error: unknown): never => {
      if (told > 0) onBytes(-told)
      onWritten(-written)
      throw error
    }
    const work = () => context.disk.copyFile(pair.capability, target, how, signal).catch(dropped)
    const made = await whileReserved(context, pair.to, { left: context.left ? undefined : left, work })
    // Of a small file nothing was told before.
    onBytes(made.size - told)
    onWritten(made.size - written)
    await noteWritten(context, made, { isTaken, item })
  } catch (error) {
    const isMissing = error instanceof Failure && error.code === 'notFound'
    if (!isMissing || !how.mayVanish || !(await hasVanished(context, pair))) throw error
  }
}

/** The error alone does not tell whether it was the source or the folder of the target. */
async function hasVanished({ disk, principal, signal }: FileContext, { entry }: Pair<'download' | 'rename'>) {
  const found = await disk.stat(authorize(principal, 'read', entry.path), signal).catch((error: unknown) => error)
  return found instanceof Failure && found.code === 'notFound'
}

type Target = { target: ReturnType<typeof authorize<'create' | 'rename'>>; override: boolean }

async function writeFolder(
  context: FileContext,
  { entry, to }: { entry: Pair<'download'>['entry']; to: Path },
  { target, override, onMade }: Target & Pick<WriteHow, 'onMade'>,
) {
  const isThere = override && (await entryAt(context, to))?.isDir
  if (isThere) return
  await withRoomAt(context, to, () => context.disk.makeFolder(target, entry, context.signal))
  onMade?.(to)
  await noteFolder(context, to)
}

type LinkTarget = Target & { onKept(item: TrashedItem): void }

async function writeLink(context: FileContext, { capability, to }: Pair<'download' | 'rename'>, asked: LinkTarget) {
  const { target, override, onKept } = asked
  const { principal, disk, signal } = context
  if (override && (await entryAt(context, to))) authorize(principal, 'modify', to)
  const how = { replace: override, ...keepingOf(context, to, { onKept }) }
  await withRoomAt(context, to, () => disk.copyLink(capability, target, signal, how))
}
