// The changes that may take long, as steps: each is checked when it is made and changes nothing before it runs. A request runs it, or
// a job: the signal of the context stops it, and its `report` is told how many entries are done.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { isWithin, type Path, parentOf } from '../base/paths.ts'
import type { Entry } from '../disk/disk.ts'
import type { FileAct } from '../events/events.ts'
import { Contents, copyTree } from './copy.ts'
import { ensureFolder } from './folders.ts'
import { freeNameFor } from './free-name.ts'
import { checkRemovable, childrenFirst, moveTree, removeTree } from './move.ts'
import { checkPairs } from './pairs.ts'
import { counterOf, entryAt, type FileContext, isEnterable } from './walk.ts'

export type Step = Readonly<{
  /** What it does, for the listeners. The paths are the principal's. */
  act: FileAct
  /** @returns undefined when it cannot be undone @throws the signal's reason when it was stopped; what is done by then stays */
  run(): Promise<Inverse | undefined>
}>

/**
 * Makes the step that undoes another, with the rights of that moment.
 * @throws Failure('conflict') when what would be undone has changed since
 */
export type Inverse = (context: FileContext) => Promise<Step>

export type TransferHow = {
  /** An existing target is replaced; folders are merged. */
  override: boolean
  /** An existing target stays, and the entry gets the next free name. */
  rename: boolean
}

/** Removes a file, a link (never its target) or a whole tree; nothing is removed when the principal may not remove all of it. */
export async function removeStep(context: FileContext, path: Path): Promise<Step> {
  authorize(context.principal, 'delete', path)
  refuseRoot(path)
  const source = await existing(context, path)
  if (isEnterable(source)) await context.disk.assertUnmounted(authorize(context.principal, 'delete', path), context.signal)
  const onRemoved = counterOf(context, await checkRemovable(context, source))
  const run = () => removeTree(context, source, onRemoved).then(() => undefined)
  return { act: { kind: 'delete', path, ...shapeOf(source) }, run }
}

/** Its inverse removes the copy, unless something of it has changed; there is none when the copy was merged with what was there. */
export async function copyStep(context: FileContext, from: Path, to: Path, { override, rename }: TransferHow): Promise<Step> {
  authorize(context.principal, 'download', from)
  const how = { action: 'create', override: override && from !== to, rename } as const
  const { source, target } = await prepare(context, { from, to }, how)
  if (source.unreachable && source.unreachable !== 'broken') throw new Failure('forbidden', 'this cannot be copied')
  const transfer = { source, action: 'download', ...target } as const
  const onCopied = counterOf(context, await checkPairs(context, transfer))
  const run = async () => {
    const made = await copyTree(context, transfer, onCopied)
    return target.override ? undefined : (later: FileContext) => removeUnchanged(later, target.to, made)
  }
  return { act: { kind: 'copy', path: from, to: target.to, ...shapeOf(source) }, run }
}

/** Missing folders of the target are created. Its inverse moves back; there is none when something was merged or replaced. */
export async function moveStep(context: FileContext, from: Path, to: Path, how: TransferHow): Promise<Step> {
  authorize(context.principal, 'rename', from)
  const { source, target } = await prepare(context, { from, to }, { ...how, action: 'rename' })
  const transfer = { source, action: 'rename', ...target } as const
  const onMoved = counterOf(context, await checkPairs(context, transfer))
  const run = async () => {
    await ensureFolder(context, parentOf(target.to))
    await moveTree(context, transfer, onMoved)
    if (target.override) return undefined
    return (later: FileContext) => moveStep(later, target.to, from, { override: false, rename: false })
  }
  return { act: { kind: 'rename', path: from, to: target.to, ...shapeOf(source) }, run }
}

async function removeUnchanged(context: FileContext, path: Path, made: Contents): Promise<Step> {
  const found = new Contents()
  await context.disk.batch(async (disk) => {
    const source = await existing({ ...context, disk }, path)
    for await (const { entry } of childrenFirst({ ...context, disk }, source, 'delete')) found.add(entry)
  })
  if (!found.equals(made)) throw new Failure('conflict', 'something changed since it was copied')
  return removeStep(context, path)
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
  if (!override) throw new Failure('conflict', 'the name is taken')
  authorize(principal, 'create', to)
  authorize(principal, 'modify', to)
  return { source, target: { to, override: true } }
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
