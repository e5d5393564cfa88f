// Undoes an act, or does it again, and says what came of it.
import type { Act, Undone } from '../../src-server/contract/history.ts'
import { call, HttpFailure } from '../api/http.ts'
import type { SortedEntries } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { type NoticeAction, noticesSlice } from '../core/notices.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { t } from '../i18n/t.ts'
import { failureIn } from '../jobs/job-words.ts'
import { jobsSlice } from '../jobs/jobs.ts'
import { actPhrase, flipLabel, leftText, whyText } from './act-words.ts'
import { actsSlice, type Direction } from './acts.ts'

type How = {
  direction: Direction
  /** What is not as it was left is left out; else nothing is changed then. */
  rest?: boolean
}

/** Without an answer, and what a proxy says of a server that gave none. */
const lostStatuses = [0, 502, 504]

/** Undoes what the person did last, in whatever page, or does again what was undone last. */
export function flipLast(workspace: Workspace, direction: Direction): Promise<void> {
  const acts = workspace.use(actsSlice)
  const notices = workspace.use(noticesSlice)
  return acts.inOrder(async () => {
    try {
      // Another page may have done something since.
      await workspace.use(tasksSlice).track(() => acts.refresh())
    } catch (failure) {
      if (!isSignedOut(failure)) notices.fail(t('error.command', { command: t(`command.${direction}`) }), failureReason(failure))
      return
    }
    const act = acts.next(direction)
    if (act) await flip(workspace, act, { direction })
    else notices.succeed(t(direction === 'undo' ? 'command.reason.nothingDone' : 'command.reason.nothingUndone'))
  })
}

/** Undoes one act, or does it again. A failure is reported. */
export function flipAct(workspace: Workspace, act: Act, how: How): Promise<void> {
  return workspace.use(actsSlice).inOrder(() => flip(workspace, act, how))
}

const failedKeys = { undo: 'acts.notUndone', redo: 'acts.notRedone' } as const

async function flip(workspace: Workspace, act: Act, how: How): Promise<void> {
  const acts = workspace.use(actsSlice)
  const notices = workspace.use(noticesSlice)
  if (acts.noticeId !== undefined) notices.dismiss(acts.noticeId)
  if (!(how.direction === 'undo' ? act.mayUndo : act.mayRedo)) return tellImpossible(workspace, act)
  const before = folderNow(workspace)
  try {
    const undone = act.byJob
      ? await runByJob(workspace, act, how)
      : await workspace.use(tasksSlice).track(() => send(workspace, act, how), flipLabel(act, how.direction))
    if (!undone) return await acts.refreshQuietly()
    if (act.byJob && undone.done === 0 && undone.left.length > 0) return tellDiffering(workspace, undone, how)
    acts.noteFlip(undone.act, how.direction)
    // What is left cannot be undone now: another Undo is about the act before.
    acts.pass(act, how.direction === 'undo' && undone.left.length > 0)
    await show(workspace, before)
    tellDone(workspace, undone, how.direction)
  } catch (failure) {
    if (isSignedOut(failure)) return
    const differing = undoneIn(failure)
    if (differing) tellDiffering(workspace, differing, how)
    else notices.fail(t(failedKeys[how.direction], { act: actPhrase(act) }), failureReason(failure))
    await acts.refreshQuietly()
  }
}

/** Sends it, and asks what came of it when the answer is lost. @throws HttpFailure */
async function send(workspace: Workspace, act: Act, { direction, rest = false }: How): Promise<Undone> {
  const { signal } = workspace
  try {
    return await call(`POST /api/history/:id/${direction}`, { params: { id: act.id }, body: { rest }, signal })
  } catch (failure) {
    if (!(failure instanceof HttpFailure) || !lostStatuses.includes(failure.status)) throw failure
    const acts = workspace.use(actsSlice)
    await acts.refreshQuietly()
    const now = acts.list.peek().find(({ id }) => id === act.id)
    // Sent twice it would be another act that is undone.
    if (!now || now.begun || now.state === act.state) throw failure
    return { act: now, done: 0, left: [] }
  }
}

/**
 * What takes long goes on when the page is closed.
 * @returns undefined when it was cancelled, or is forgotten by now @throws HttpFailure
 */
async function runByJob(workspace: Workspace, act: Act, { direction, rest = false }: How): Promise<Undone | undefined> {
  const asked = { kind: 'undo', act: act.id, redo: direction === 'redo', rest } as const
  const details = await workspace.use(jobsSlice).run(asked)
  const [failed] = details?.failures ?? []
  if (failed) throw failureIn(failed)
  return details?.values[0]?.value as Undone | undefined
}

/** The answer with status 409 that lists what is not as it was left; undefined for another failure. */
function undoneIn(failure: unknown): Undone | undefined {
  if (!(failure instanceof HttpFailure) || failure.status !== 409) return undefined
  try {
    const undone = JSON.parse(failure.message) as Partial<Undone>
    return undone.act && undone.left ? (undone as Undone) : undefined
  } catch {
    return undefined
  }
}

/** The next Undo is about the act before it. */
function tellImpossible(workspace: Workspace, act: Act): void {
  const acts = workspace.use(actsSlice)
  acts.pass(act)
  const more = acts.next('undo') && t('acts.onceMore')
  workspace
    .use(noticesSlice)
    .fail(t('acts.impossible', { act: actPhrase(act) }), joinSentences(act.why && whyText(act.why), more))
}

function tellDiffering(workspace: Workspace, { act, left }: Undone, how: How): void {
  const run = () => void flipAct(workspace, act, { ...how, rest: true })
  const action = { label: t(how.direction === 'undo' ? 'acts.undoRest' : 'acts.redoRest'), run }
  const text = t(failedKeys[how.direction], { act: actPhrase(act) })
  workspace.use(noticesSlice).fail(text, leftText(left), hasRest(act, left, how) ? action : undefined)
}

/** Whether something can be undone nevertheless, as far as the page can tell: a copied folder has more changes than were chosen. */
const hasRest = (act: Act, left: Undone['left'], { rest = false }: How): boolean =>
  !rest && (left.length < act.count || act.kind === 'copy')

function tellDone(workspace: Workspace, { act, left }: Undone, direction: Direction): void {
  const notices = workspace.use(noticesSlice)
  const acts = workspace.use(actsSlice)
  const text = t(direction === 'undo' ? 'acts.undone' : 'acts.redone', { act: actPhrase(act) })
  const back = direction === 'undo' ? 'redo' : 'undo'
  const mayGoBack = back === 'redo' ? act.mayRedo : act.mayUndo
  const detail = left.length > 0 ? { detail: leftText(left) } : {}
  acts.noticeId = notices.succeed(text, { ...detail, action: mayGoBack ? flipAction(workspace, act, back) : undefined })
}

/** The button of a notice. */
export function flipAction(workspace: Workspace, act: Act, direction: Direction): NoticeAction {
  return { label: flipLabel(act, direction), run: () => void flipAct(workspace, act, { direction }) }
}

type ShownFolder = { path: string; entries: SortedEntries }

const folderNow = (workspace: Workspace): ShownFolder => {
  const { currentPath, sortedEntries } = workspace.use(entryViewSlice)
  return { path: currentPath.value, entries: sortedEntries.value }
}

/** Selects what has come into the folder that is shown, or moves the focus from what has gone. */
async function show(workspace: Workspace, before: ShownFolder): Promise<void> {
  const entryView = workspace.use(entryViewSlice)
  await entryView.refresh()
  const now = folderNow(workspace)
  if (now.path !== before.path || !entryView.isFolderShown()) return
  const came = now.entries.entries.map(({ key }) => key).filter((key) => before.entries.indexOf(key) === undefined)
  const gone = before.entries.entries.map(({ key }) => key).filter((key) => now.entries.indexOf(key) === undefined)
  if (came[0] !== undefined) {
    entryView.showNew(came)
    entryView.reveal(came[0], 'quietly')
  } else if (gone.length > 0) entryView.focusNeighbour(before.entries, new Set(gone))
}
