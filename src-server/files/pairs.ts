// A tree beside the place it is to have: what copying and moving across file systems have in common.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { type Path, parentOf } from '../base/paths.ts'
import type { Entry } from '../disk/disk.ts'
import { entryAt, type FileContext, isEnterable, type Step, walk } from './walk.ts'

/** One thing and where it goes. */
export type Pair<N extends 'download' | 'rename'> = Step<N> & Readonly<{ to: Path }>

export type Transfer<N extends 'download' | 'rename' = 'download' | 'rename'> = Readonly<{
  source: Entry
  to: Path
  /** Reading for a copy needs `download`; a move across file systems goes by the right to rename. */
  need: N
  /** Existing files are replaced and folders merged. */
  override: boolean
}>

/** The source itself and all below it that goes along, parents first. @throws Failure('forbidden') when a move would take something hidden */
export async function* pairsOf<N extends 'download' | 'rename'>(
  context: FileContext,
  { source, to, need }: Transfer<N>,
): AsyncGenerator<Pair<N>> {
  const capability = authorize(context.principal, need, source.path)
  yield { entry: source, capability, to }
  if (!isEnterable(source)) return
  const hidden = need === 'rename' ? 'refuse' : 'skip'
  for await (const step of walk(context, source.path, { need, hidden, order: 'parents first' })) {
    if (need === 'rename' || isCopied(step.entry)) yield { ...step, to: rebased(step.entry.path, source.path, to) }
  }
}

/** What a copy leaves out: links that leave the scope, devices and FIFOs, names that cannot be opened. */
function isCopied({ unreachable }: Entry) {
  return unreachable === undefined || unreachable === 'broken'
}

/**
 * Asks everything before anything is changed, so that a refusal leaves all as it was.
 * @throws Failure('forbidden') for a place that the visitor may not write to, Failure('conflict') for a folder in a file's place
 * or a file in a folder's, Failure('invalid') when the target lies in the source, also by way of a link
 */
export async function checkPairs(context: FileContext, transfer: Transfer): Promise<void> {
  if (isOneRename(context, transfer)) return
  await context.disk.batch((disk) => checkAll({ ...context, disk }, transfer))
}

async function checkAll(context: FileContext, transfer: Transfer): Promise<void> {
  const { principal, disk } = context
  const target = authorize(principal, 'see', parentOf(transfer.to))
  for await (const { entry, to } of pairsOf(context, transfer)) {
    if (isEnterable(entry) && (await disk.isWithin(target, authorize(principal, 'see', entry.path)))) {
      throw new Failure('invalid', 'a folder cannot go into itself')
    }
    authorize(principal, transfer.need === 'rename' ? 'rename' : 'create', to)
    // Also without override: the disk refuses here what the rules block by where a link in the target's path leads.
    const taken = transfer.override || principal.rules.length > 0 ? await entryAt(context, to) : undefined
    if (transfer.override && taken) checkReplaceable(context, { entry, taken })
  }
}

/** A move that nothing has to be asked about is one call of the system, however big the tree; that call refuses a move into itself. */
function isOneRename({ principal }: FileContext, { need, override }: Transfer) {
  return need === 'rename' && !override && principal.rules.length === 0
}

/** @throws Failure('conflict') when the two are not of a kind, Failure('forbidden') when the visitor may not replace it */
function checkReplaceable({ principal }: FileContext, { entry, taken }: { entry: Entry; taken: Entry }) {
  if (isEnterable(entry) !== taken.isDir) throw new Failure('conflict', 'a folder and a file cannot replace each other')
  if (taken.isDir) return
  authorize(principal, 'create', taken.path)
  authorize(principal, 'modify', taken.path)
}

function rebased(path: Path, from: Path, to: Path): Path {
  return `${to}${path.slice(from.length)}` as Path
}
