import { encodePath } from '../api/addresses.ts'
import { call, HttpFailure } from '../api/http.ts'
import type { Entry, Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { isInItself, nameOf, parentOf, pathIn } from '../core/paths.ts'
import { type Left, tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { type Answers, type Choice, conflictsSlice, type Existing } from './conflicts.ts'
import { findReplaced } from './replaced-inside.ts'
import { offerUndo, reportFailed } from './report.ts'
import { showTransferred } from './show-transferred.ts'
import { type DoneBy, type Step, undoSlice } from './undo.ts'

export type Transfer = {
  action: 'move' | 'copy'
  items: readonly Item[]
  to: string
  /** `person` by default. */
  by?: DoneBy
}

export type Outcome = Left<Item> & { done: { item: Item; choice: Choice | undefined }[] }

type ExistingNames = ReadonlyMap<string, Existing>

/**
 * Moves or copies items into a folder and reports the outcome. Names that are taken are asked about before anything is
 * sent; a copy in the same folder gets a number.
 * @returns the items that were not moved or copied, and were not skipped
 */
export async function transfer(workspace: Workspace, wanted: Transfer): Promise<readonly Item[]> {
  const notices = workspace.use(noticesSlice)
  const { action, to } = wanted
  // Moving an item to its own folder changes nothing.
  const items = wanted.items.filter((item) => action === 'copy' || parentOf(item.path) !== to)
  const refuse = (reason: string) => notices.fail(t(failed(action), { count: items.length }), reason)
  try {
    if (items.length === 0) notices.announce(t('transfer.here'))
    else if (isInItself(items, to)) refuse(t('transfer.itself'))
    else return await transferItems(workspace, { ...wanted, items })
    return []
  } catch (failure) {
    if (!isSignedOut(failure)) refuse(failureReason(failure))
    return items
  }
}

async function transferItems(workspace: Workspace, wanted: Transfer): Promise<readonly Item[]> {
  const { action, to, by = 'person' } = wanted
  const before = workspace.use(entryViewSlice).sortedEntries.value
  const outcome = await carryOut(workspace, wanted)
  const step = outcome.done.length > 0 ? stepBack(action, to, outcome.done) : undefined
  // Before the folder is listed again: Ctrl+Z must not undo the change before this one.
  if (step) workspace.use(undoSlice).record(step, by)
  if (outcome.done.length > 0 || outcome.failed.length > 0) await showTransferred(workspace, { action, to, before, outcome })
  tell(workspace, wanted, { ...outcome, step })
  return [...outcome.failed.map(({ item }) => item), ...outcome.stopped]
}

async function carryOut(workspace: Workspace, wanted: Transfer): Promise<Outcome> {
  const tasks = workspace.use(tasksSlice)
  const outcome: Outcome = { done: [], failed: [], stopped: [] }
  const { action, to, by = 'person' } = wanted
  const label = labelOf(wanted)
  const look = (known?: readonly Entry[]) => tasks.track(() => whatIsIn(workspace, to, known), label)
  // Undo often comes before the shown listing is up to date.
  let existingNames = await look(by === 'person' ? shownIn(workspace, to) : undefined)
  let { items } = wanted
  while (items.length > 0) {
    const answers = await ask(workspace, { ...wanted, items }, existingNames)
    if (!answers) return { ...outcome, stopped: items }
    const known = existingNames
    const choiceOf = (item: Item) => (parentOf(item.path) === to ? 'keepBoth' : answers.get(item))
    const sendOne = async (item: Item) => {
      const choice = choiceOf(item)
      if (choice === 'skip' || (choice === undefined && known.has(item.name))) return
      await send(workspace, action, { item, to, choice })
      outcome.done.push({ item, choice })
    }
    const { failed, stopped } = await tasks.each(items, sendOne, { label })
    // Their name was taken meanwhile.
    const taken = failed.filter(
      ({ item, failure }) => failure instanceof HttpFailure && failure.status === 409 && choiceOf(item) === undefined,
    )
    outcome.failed.push(...failed.filter((one) => !taken.includes(one)))
    if (taken.length > 0) existingNames = await look()
    items = taken.map(({ item }) => item)
    if (stopped.length > 0) return { ...outcome, stopped: [...items, ...stopped] }
    // When the entry with the name is not listed, there is nothing to ask about.
    const isListed = (item: Item) => existingNames.has(item.name)
    outcome.failed.push(...taken.filter(({ item }) => !isListed(item)))
    items = items.filter(isListed)
  }
  return outcome
}

/** @throws HttpFailure when the folder cannot be read */
async function whatIsIn(workspace: Workspace, folder: string, known?: readonly Entry[]): Promise<ExistingNames> {
  const entries = known ?? (await call('GET /api/resources/*', { path: folder, signal: workspace.signal })).items ?? []
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function shownIn(workspace: Workspace, folder: string): readonly Entry[] | undefined {
  const entryView = workspace.use(entryViewSlice)
  const { value } = entryView.state
  return value.kind === 'folder' && value.path === folder && entryView.currentPath.value === folder ? value.entries : undefined
}

async function ask(workspace: Workspace, wanted: Transfer, existingNames: ExistingNames): Promise<Answers | undefined> {
  const { to } = wanted
  const taken = wanted.items.flatMap((item) => {
    const existing = parentOf(item.path) === to ? undefined : existingNames.get(item.name)
    return existing ? [{ item, existing }] : []
  })
  if (taken.length === 0) return new Map()
  const merged = taken.filter(({ item, existing }) => item.isDir && existing.isDir).map(({ item }) => item)
  const label = labelOf(wanted)
  const replaced = await workspace.use(tasksSlice).track(() => findReplaced(workspace, merged, to), label)
  const conflicts = taken.map((conflict) => ({ ...conflict, replaced: replaced.get(conflict.item) }))
  return workspace.use(conflictsSlice).ask(to, conflicts)
}

function send(
  workspace: Workspace,
  action: Transfer['action'],
  { item, to, choice }: { item: Item; to: string; choice: Choice | undefined },
) {
  const query = {
    action: action === 'move' ? 'rename' : 'copy',
    // A path inside a query is encoded twice: as a path, and as a part of the query.
    destination: encodePath(pathIn(to, item.name)),
    ...(choice === 'replace' && { override: 'true' }),
    ...(choice === 'keepBoth' && { rename: 'true' }),
  }
  return call('PATCH /api/resources/*', { path: item.path, query, signal: workspace.signal })
}

type Told = Outcome & { step: Step | undefined }

function tell(
  workspace: Workspace,
  { action, to, by = 'person' }: Transfer,
  { done, failed: refused, stopped, step }: Told,
): void {
  const notices = workspace.use(noticesSlice)
  const words = { count: done.length, folder: folderName(to) }
  const rest = stopped.length > 0 ? { detail: t(failed(action), { count: stopped.length }) } : {}
  if (step && action === 'copy') notices.succeed(t('transfer.copied', words), rest)
  else if (step) offerUndo(workspace, t('transfer.moved', words), { step, by, rest })
  reportFailed(workspace, t(failed(action), { count: refused.length }), refused)
}

// What was replaced or numbered cannot be restored by moving.
function stepBack(action: Transfer['action'], from: string, done: Outcome['done']): Step {
  if (action === 'copy') return { kind: 'final', reason: 'undo.copied' }
  const to = parentOf(done[0]?.item.path ?? '')
  const isPlain = done.every(({ item, choice }) => choice === undefined && parentOf(item.path) === to)
  if (!isPlain) return { kind: 'final', reason: 'undo.replaced' }
  return { kind: 'move', items: done.map(({ item }) => ({ ...item, path: pathIn(from, item.name) })), to }
}

const labelOf = ({ action, items, to }: Transfer): string =>
  t(`transfer.working.${action}`, { count: items.length, folder: folderName(to) })
const folderName = (path: string) => isolate(nameOf(path) || t('sidebar.myFiles'))
const failed = (action: Transfer['action']) => (action === 'move' ? 'transfer.notMoved' : 'transfer.notCopied')
