import { reportDone, reportPartDone } from '../acts/offer-undo.ts'
import { encodePath } from '../api/addresses.ts'
import { call, HttpFailure } from '../api/http.ts'
import type { Entry, Item } from '../core/entries.ts'
import { entryViewSlice, noteSelection } from '../core/entry-view.ts'
import { failureReason, isAnswerLost, isSignedOut } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { newAct } from '../core/own-acts.ts'
import { isInItself, nameOf, parentOf, pathIn } from '../core/paths.ts'
import { tasksSlice } from '../core/tasks.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { type Answers, type Choice, conflictsSlice, type Existing } from './conflicts.ts'
import { isMoved, movedBefore } from './lost-answer.ts'
import { findReplaced } from './replaced-inside.ts'
import { reportFailed } from './report.ts'
import { type JobOutcome, runJob } from './run-job.ts'
import { showTransferred } from './show-transferred.ts'

export type Transfer = {
  action: 'move' | 'copy'
  items: readonly Item[]
  to: string
}

export type Outcome = Omit<JobOutcome, 'done'> & { done: readonly { item: Item; choice: Choice | undefined }[] }
const nothing: Outcome = { done: [], failed: [], stopped: [], renamed: [], isLong: false, act: undefined }

type ChoiceOf = (item: Item) => Choice | undefined
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
  const { action, to } = wanted
  const entryView = workspace.use(entryViewSlice)
  const [before, hasChosen] = [entryView.sortedEntries.value, noteSelection(entryView)]
  const outcome = await carryOut(workspace, wanted)
  if (outcome.done.length > 0 || outcome.failed.length > 0)
    await showTransferred(workspace, { action, to, before, hasChosen, outcome })
  tell(workspace, wanted, outcome)
  return [...outcome.failed.map(({ item }) => item), ...outcome.stopped]
}

async function carryOut(workspace: Workspace, wanted: Transfer, isAgain = false): Promise<Outcome> {
  const { to, items } = wanted
  const known = !isAgain ? shownIn(workspace, to) : undefined
  const existingNames = await workspace.use(tasksSlice).track(() => whatIsIn(workspace, to, known), labelOf(wanted))
  const lost = wanted.action === 'move' ? lostItems(workspace, wanted) : []
  const moved = lost.length > 0 ? await movedBefore(lost, existingNames, workspace.signal) : []
  if (moved.length > 0) return withMoved(workspace, wanted, moved)
  const answers = await ask(workspace, wanted, existingNames)
  if (!answers) return { ...nothing, stopped: items }
  const choiceOf: ChoiceOf = (item) => (parentOf(item.path) === to ? 'keepBoth' : answers.get(item))
  const sent = items.filter((item) => choiceOf(item) !== 'skip')
  const [only] = sent
  if (!only) return nothing
  if (sent.length > 1 || only.isDir || only.size > largestOne) return sendJob(workspace, { ...wanted, items: sent }, choiceOf)
  const outcome = await sendOne(workspace, wanted, { item: only, choice: choiceOf(only) })
  // Its name was taken meanwhile. When the entry with the name is not listed, there is nothing to ask about.
  const isTaken = outcome.failed.some(({ failure }) => failure instanceof HttpFailure && failure.status === 409)
  const isAsked = isTaken && !choiceOf(only) && (await whatIsIn(workspace, to)).has(only.name)
  return isAsked ? carryOut(workspace, { ...wanted, items: [only] }, true) : outcome
}

/** Where the server may have moved something, as its answer is lost: the old and the new path. */
const lostSlice = slice('lostMoves', () => new Set<string>())

/** What an earlier attempt may have moved. It is asked about once. */
function lostItems(workspace: Workspace, { items, to }: Transfer): readonly Item[] {
  return items.filter((item) => workspace.use(lostSlice).delete(lostKey(item, to)))
}

const lostKey = ({ path, name }: Item, to: string) => `${path}\n${pathIn(to, name)}`

/** What an earlier attempt has moved, whose answer was lost, is done. */
async function withMoved(workspace: Workspace, wanted: Transfer, moved: readonly Item[]): Promise<Outcome> {
  const items = wanted.items.filter((item) => !moved.includes(item))
  const outcome = items.length > 0 ? await carryOut(workspace, { ...wanted, items }) : nothing
  return { ...outcome, done: [...moved.map((item) => ({ item, choice: undefined })), ...outcome.done] }
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

/** Bytes of a file whose copy takes so long that it is to be seen, stopped, and gone on with without the page. */
const largestOne = 1 << 26

/** One file that is not large, which waits for no place among the jobs. */
async function sendOne(workspace: Workspace, wanted: Transfer, done: Outcome['done'][number]): Promise<Outcome> {
  const { action, to } = wanted
  const { item, choice } = done
  const query = {
    action: action === 'move' ? 'rename' : 'copy',
    // A path inside a query is encoded twice: as a path, and as a part of the query.
    destination: encodePath(pathIn(to, item.name)),
    ...(choice === 'replace' && { override: 'true' }),
    ...(choice === 'keepBoth' && { rename: 'true' }),
  }
  const act = newAct()
  const { signal } = workspace
  const sent = { from: item.path, to: pathIn(to, item.name), item }
  const send = () =>
    call('PATCH /api/resources/*', { path: item.path, query, act, signal }).catch(async (failure) => {
      const isLost = action === 'move' && choice !== 'keepBoth' && isAnswerLost(failure)
      if (isLost && (await isMoved(failure, sent, signal))) return
      if (isLost) workspace.use(lostSlice).add(lostKey(item, to))
      throw failure
    })
  const { failed } = await workspace.use(tasksSlice).each([item], send, { label: labelOf(wanted) })
  return { ...nothing, failed, done: failed.length > 0 ? [] : [done], act }
}

/** What goes on without the page. Of a name that is taken meanwhile the job asks. */
async function sendJob(workspace: Workspace, wanted: Transfer, choiceOf: ChoiceOf): Promise<Outcome> {
  const { action, items, to } = wanted
  const taken = { keepBoth: 'number', replace: 'replace', skip: 'skip' } as const
  const choices = items.flatMap((item) => {
    const choice = choiceOf(item)
    return choice ? [[item.path, taken[choice]] as const] : []
  })
  const asked = { kind: action, items, to, choices: Object.fromEntries(choices), label: labelOf(wanted) }
  const { done, ...rest } = await runJob(workspace, asked)
  return { ...rest, done: done.map((item) => ({ item, choice: choiceOf(item) })) }
}

function tell(workspace: Workspace, wanted: Transfer, { done, failed: refused, stopped, act }: Outcome): void {
  const { action, to } = wanted
  const words = { count: done.length, folder: folderName(to) }
  const rest = stopped.length > 0 ? { detail: t(failed(action), { count: stopped.length }) } : {}
  const text = done.length > 0 ? t(action === 'copy' ? 'transfer.copied' : 'transfer.moved', words) : undefined
  const triedOf = (all: readonly { item: Item }[]) => all.map(({ item }) => `${action} ${to} ${item.path}`)
  workspace.use(noticesSlice).dismissFailures({ tried: triedOf([...done, ...refused]) })
  const of = { act, tried: triedOf(refused) }
  const fail = () => reportFailed(workspace, t(failed(action), { count: refused.length }), refused, of)
  if (refused.length > 0) reportPartDone(workspace, text, act, { fail, ...rest })
  else if (text !== undefined) reportDone(workspace, text, act, rest)
  // Of a folder a part may be done, which is to be undone.
  else if (stopped.length > 0 && act !== undefined)
    reportDone(workspace, labelOf(wanted), act, { detail: t('jobs.cancelled'), isNeutral: true })
}

const labelOf = ({ action, items, to }: Transfer): string =>
  t(`transfer.working.${action}`, { count: items.length, folder: folderName(to) })
const folderName = (path: string) => isolate(nameOf(path) || t('sidebar.myFiles'))
const failed = (action: Transfer['action']) => (action === 'move' ? 'transfer.notMoved' : 'transfer.notCopied')
