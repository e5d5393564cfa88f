// Pairs of source and target, which copying and moving across file systems share.
import { authorize, type Capability, mayBlockBelow } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { childOf, nameOf, type Path, parentOf } from '../base/paths.ts'
import type { Entry } from '../disk/disk.ts'
import { type Checked, entryAt, type FileContext, isEnterable, type Walked, type WalkHow, walk } from './walk.ts'

/** One entry and its target path. */
export type Pair<N extends 'download' | 'rename'> = Walked<N> & Readonly<{ to: Path }>

export type Transfer<N extends 'download' | 'rename' = 'download' | 'rename'> = Readonly<{
  source: Entry
  to: Path
  /** The permission for reading: `download` for a copy, `rename` for a move across file systems. */
  action: N
  /** Existing files are replaced and folders merged. */
  override: boolean
  /** A merge goes on with the other entries when one fails, so that not all is refused for the kind of one. */
  goesOn?: boolean | undefined
  /** The target is another name of the source, as a move leaves it that broke off. */
  isSecondName?: boolean
  /** Of all files, where they were counted. */
  bytes?: number | undefined
  /** As that of `TransferHow`. */
  guard?(): Promise<unknown>
  mayCross?: boolean
  onAcross?: (() => Promise<void>) | undefined
}>

/**
 * The source itself and all entries below it that are transferred, parents first. The last options: as those of `WalkHow`.
 * @throws Failure('forbidden') when a move would include a hidden entry
 */
export async function* pairsOf<N extends 'download' | 'rename'>(
  context: FileContext,
  { source, to, action }: Transfer<N>,
  { forRemoval = false, isEntered }: Pick<WalkHow<N>, 'forRemoval' | 'isEntered'> = {},
): AsyncGenerator<Pair<N>> {
  const capability = authorize(context.principal, action, source.path)
  yield { entry: source, capability, to }
  if (!isEnterable(source)) return
  const hidden = action === 'rename' ? 'refuse' : 'skip'
  for await (const step of walk(context, source.path, { action, hidden, order: 'parents first', forRemoval, isEntered })) {
    if (action === 'rename' || isCopied(step.entry)) yield { ...step, to: rebased(step.entry.path, source.path, to) }
  }
}

/** What a copy leaves out: links that leave the scope, devices and FIFOs, names that cannot be opened. */
function isCopied({ unreachable }: Entry) {
  return unreachable === undefined || unreachable === 'broken'
}

/**
 * Checks everything before anything is changed, so that a refusal changes nothing.
 * @returns how many entries are transferred, and the bytes of the files, where they were looked at
 * @throws Failure('forbidden') for a path that the principal may not write to, Failure('conflict') for a folder where a file is
 * or the reverse, Failure('invalid') when the target is inside the source, also through a link, or something of the source would go into the source
 */
export async function checkPairs(context: FileContext, transfer: Transfer): Promise<Checked> {
  if (await isOneRename(context, transfer)) return { entries: 1, bytes: undefined }
  return context.disk.batch((disk) => checkAll({ ...context, disk }, transfer))
}

/** Bytes of what is copied of an entry itself. */
export function bytesOf(entry: Entry): number {
  return isEnterable(entry) || entry.isSymlink ? 0 : entry.size
}

async function checkAll(context: FileContext, transfer: Transfer): Promise<Checked> {
  const { principal } = context
  let [entries, bytes] = [0, 0]
  const target = authorize(principal, 'read', parentOf(transfer.to))
  let isOntoItself = false
  for await (const { entry, to } of pairsOf(context, transfer)) {
    entries++
    bytes += bytesOf(entry)
    if (isEnterable(entry)) await assertOutside(context, target, entry)
    authorize(principal, transfer.action === 'rename' ? 'rename' : 'create', to)
    // Also without override: the disk refuses here a target path whose links lead to a blocked path.
    const taken = transfer.override || !principal.rules.isEmpty ? await entryAt(context, to) : undefined
    if (taken?.isDir && isEnterable(entry)) {
      const around = await aroundSource(context, transfer.source, taken)
      if (entry.path === transfer.source.path) isOntoItself = around === 'is'
      // What is there already would be merged while it is being moved or copied.
      else if (around && !isOntoItself) throw intoItself()
    }
    if (transfer.override && taken)
      checkReplaceable(context, { entry, taken, goesOn: transfer.goesOn && entry !== transfer.source })
  }
  return { entries, bytes }
}

/** @throws Failure('invalid') when a target is inside a folder, through links and mounts too */
export async function assertOutside({ principal, disk }: FileContext, target: Capability<'read'>, folder: Entry): Promise<void> {
  if (await disk.isWithin(target, authorize(principal, 'read', folder.path))) {
    throw intoItself()
  }
}

/** Whether a folder at the target holds the source, is in it, or is the source, through links and mounts too. */
async function aroundSource(context: FileContext, source: Entry, taken: Entry): Promise<'holds' | 'is' | 'isIn' | undefined> {
  const { principal, disk } = context
  const [folder, other] = [authorize(principal, 'read', source.path), authorize(principal, 'read', taken.path)]
  const [isIn, holds] = [await disk.isWithin(other, folder), await disk.isWithin(folder, other)]
  return isIn && holds ? 'is' : isIn ? 'isIn' : holds ? 'holds' : undefined
}

const intoItself = () => new Failure('invalid', 'a folder cannot go into itself')

/**
 * A move without conflicts, of a tree in which no rule can hide anything before or afterwards, is one system call for any size of tree;
 * that call refuses a move into itself, but for one through a mount, which is then checked as a move to another file system.
 */
async function isOneRename(context: FileContext, { source, to, action, override }: Transfer): Promise<boolean> {
  const { principal } = context
  if (action !== 'rename' || override) return false
  if (principal.rules.isEmpty) return true
  // Rules count by the true paths too. Of a folder that will be created the true path is not known.
  const folder = await entryAt(context, parentOf(to))
  const trueFolder = folder?.truePath
  const ends = [source.path, source.truePath, to, trueFolder && childOf(trueFolder, nameOf(to))]
  return folder !== undefined && ends.every((path) => path === undefined || !mayBlockBelow(principal, path))
}

/** @throws Failure('conflict') when the two are not of a kind, Failure('forbidden') when the principal may not replace it */
function checkReplaceable(
  { principal }: FileContext,
  { entry, taken, goesOn }: { entry: Entry; taken: Entry; goesOn?: boolean | undefined },
) {
  // The merge itself refuses it.
  if (goesOn && isEnterable(entry) !== taken.isDir) return
  assertOfOneKind(entry, taken)
  if (taken.isDir) return
  authorize(principal, 'create', taken.path)
  authorize(principal, 'modify', taken.path)
}

/** @throws Failure('conflict') */
export function assertOfOneKind(entry: Entry, taken: Entry): void {
  if (isEnterable(entry) !== taken.isDir) throw new Failure('conflict', 'a folder and a file cannot replace each other')
}

function rebased(path: Path, from: Path, to: Path): Path {
  return `${to}${path.slice(from.length)}` as Path
}
