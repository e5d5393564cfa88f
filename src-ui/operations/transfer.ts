import { encodePath } from '../api/addresses.ts'
import { call, HttpFailure } from '../api/http.ts'
import type { Entry } from '../core/entries.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { announce, dismiss, fail, succeed } from '../core/notices.ts'
import { type Item, isInItself, nameOf, parentOf } from '../core/paths.ts'
import { trackTask } from '../core/tasks.ts'
import { isolate, t } from '../i18n/t.ts'
import { currentPath, listingState, sortedEntries } from '../listing/listing.ts'
import type { Existing } from '../uploads/upload-jobs.ts'
import type { Choice } from '../uploads/upload-queue.ts'
import { type Answers, askConflicts } from './conflicts.ts'
import { pathIn } from './file-name.ts'
import { showTransferred } from './show-transferred.ts'
import { type Undoable, undoable } from './undo.ts'

export type Transfer = { action: 'move' | 'copy'; items: readonly Item[]; to: string }

/** What became of it. */
export type Outcome = {
  done: { item: Item; choice: Choice | undefined }[]
  failed: { item: Item; failure: unknown }[]
}

type There = ReadonlyMap<string, Existing>

/**
 * Moves or copies things into a folder. Names that are taken there are asked about before anything is sent; what is
 * copied to where it stands gets a number. It says itself how it went.
 */
export async function transfer(wanted: Transfer): Promise<void> {
  const { action, to } = wanted
  // What is moved to where it stands has nowhere to go.
  const items = wanted.items.filter((item) => action === 'copy' || parentOf(item.path) !== to)
  if (items.length === 0) return announce(t('transfer.here'))
  if (isInItself(items, to)) return fail(t(failed(action), { count: items.length }), t('transfer.itself'))
  try {
    const before = sortedEntries.value
    const outcome = await carryOut({ ...wanted, items })
    if (outcome.done.length > 0 || outcome.failed.length > 0) await showTransferred({ action, to, before, outcome })
    tell(wanted, outcome)
  } catch (failure) {
    if (!isSignedOut(failure)) fail(t(failed(action), { count: items.length }), failureReason(failure))
  }
}

async function carryOut(wanted: Transfer): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] }
  const { action, to } = wanted
  const label = t(`transfer.working.${action}`, { count: wanted.items.length, folder: folderName(to) })
  let there = await trackTask({ label }, () => whatIsIn(to, shownIn(to)))
  let items = wanted.items
  while (items.length > 0) {
    const answers = await ask(wanted, items, there)
    const round = { ...wanted, items }
    const taken = await trackTask({ label, total: items.length }, (step, signal) =>
      sendAll(round, { answers, there, outcome, step, signal }),
    )
    if (taken.length > 0) there = await trackTask({ label }, () => whatIsIn(to))
    // What has the name and is not to be seen cannot be asked about.
    outcome.failed.push(...taken.filter(({ item }) => !there.has(item.name)))
    items = taken.map(({ item }) => item).filter((item) => there.has(item.name))
  }
  return outcome
}

/** @throws HttpFailure when the folder cannot be read */
async function whatIsIn(folder: string, known?: readonly Entry[]): Promise<There> {
  const entries = known ?? (await call('GET /api/resources/*', { path: folder })).items ?? []
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function shownIn(folder: string): readonly Entry[] | undefined {
  const { value } = listingState
  return value.kind === 'folder' && value.path === folder && currentPath.value === folder ? value.entries : undefined
}

async function ask({ to }: Transfer, items: readonly Item[], there: There): Promise<Answers> {
  const taken = items.flatMap((item) => {
    const existing = parentOf(item.path) === to ? undefined : there.get(item.name)
    return existing ? [{ item, existing }] : []
  })
  return taken.length > 0 ? askConflicts(to, taken) : new Map()
}

type Round = { answers: Answers; there: There; outcome: Outcome; step: () => void; signal: AbortSignal }

/** @returns what found its name taken only now */
async function sendAll(
  { action, items, to }: Transfer,
  { answers, there, outcome, step, signal }: Round,
): Promise<Outcome['failed']> {
  const again: Outcome['failed'] = []
  for (const item of items) {
    if (signal.aborted) break
    const choice = parentOf(item.path) === to ? 'keepBoth' : answers.get(item)
    const isSkipped = choice === 'skip' || (choice === undefined && there.has(item.name))
    if (isSkipped) continue
    try {
      await send(action, { item, to, choice })
      outcome.done.push({ item, choice })
    } catch (failure) {
      if (isSignedOut(failure)) throw failure
      const isTaken = failure instanceof HttpFailure && failure.status === 409 && choice === undefined
      const list = isTaken ? again : outcome.failed
      list.push({ item, failure })
    }
    step()
  }
  return again
}

function send(action: Transfer['action'], { item, to, choice }: { item: Item; to: string; choice: Choice | undefined }) {
  const query = {
    action: action === 'move' ? 'rename' : 'copy',
    // A path inside a query: encoded as a path, beside what the query does to it.
    destination: encodePath(pathIn(to, item.name)),
    ...(choice === 'replace' && { override: 'true' }),
    ...(choice === 'keepBoth' && { rename: 'true' }),
  }
  return call('PATCH /api/resources/*', { path: item.path, query })
}

function tell({ action, to }: Transfer, { done, failed: refused }: Outcome): void {
  const words = { count: done.length, folder: folderName(to) }
  if (done.length > 0 && action === 'copy') succeed(t('transfer.copied', words))
  if (done.length > 0 && action === 'move') {
    offerUndo(wayBack(to, done))
    const action = undoable.value && { label: t('action.undo'), run: () => void undo() }
    offered = succeed(t('transfer.moved', words), { action })
  }
  const [first] = refused
  if (!first) return
  const detail = t('transfer.failure', { name: isolate(first.item.name), cause: failureReason(first.failure) })
  fail(t(failed(action), { count: refused.length }), detail)
}

/** Takes the last move back, as long as nothing was replaced by it; what stands in the way now is asked about. */
export async function undo(): Promise<void> {
  const { value } = undoable
  offerUndo(undefined)
  if (value) await transfer({ action: 'move', ...value })
}

/** The notice that offers it. */
let offered: number | undefined

// Only the last move can be taken back: the notice of the one before would take back what it does not name.
function offerUndo(offer: Undoable | undefined): void {
  undoable.value = offer
  if (offered !== undefined) dismiss(offered)
}

// What was replaced, or got a number, cannot be brought back by moving.
function wayBack(from: string, done: Outcome['done']): Undoable | undefined {
  const [first] = done
  if (!first || done.some(({ choice }) => choice !== undefined)) return undefined
  const to = parentOf(first.item.path)
  if (done.some(({ item }) => parentOf(item.path) !== to)) return undefined
  return { items: done.map(({ item }) => ({ ...item, path: pathIn(from, item.name) })), to }
}

const folderName = (path: string) => isolate(nameOf(path) || t('sidebar.myFiles'))
const failed = (action: Transfer['action']) => (action === 'move' ? 'transfer.notMoved' : 'transfer.notCopied')
