// Undoes an act, or does it again, and says what came of it.
import type { Act, Undone } from '../../src-server/contract/history.ts'
import { call, changesAnswered, HttpFailure } from '../api/http.ts'
import type { SortedEntries } from '../core/entries.ts'
import { entryViewSlice, noteSelection } from '../core/entry-view.ts'
import { failureReason, isAnswerLost, isSignedOut } from '../core/failure-reason.ts'
import { type NoticeAction, noticesSlice } from '../core/notices.ts'
import type { Ongoing } from '../core/own-acts.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { t } from '../i18n/t.ts'
import { failureIn } from '../jobs/job-words.ts'
import { jobsSlice } from '../jobs/jobs.ts'
import { leftText } from '../jobs/left-words.ts'
import { actPhrase, countOf, flipLabel, whyText } from './act-words.ts'
import { type Acts, actsSlice, type Direction } from './acts.ts'
import { ongoingAfter, ongoingAll } from './ongoing.ts'

type How = {
  direction: Direction
  /** What is not as it was left is left out; else nothing is changed then. */
  rest?: boolean
}

/** Undoes what the person did last, in whatever page, or does again what was undone last. */
export function flipLast(workspace: Workspace, direction: Direction): Promise<void> {
  const acts = workspace.use(actsSlice)
  const notices = workspace.use(noticesSlice)
  const of = { act: direction }
  return acts.inOrder(async () => {
    notices.dismissFailures(of)
    // Else what is undone would be the act before.
    if (!(await areChangesAnswered(workspace))) return tellUnanswered(workspace)
    try {
      // Another page may have done something since.
      await workspace.use(tasksSlice).track(() => acts.refresh())
    } catch (failure) {
      if (isSignedOut(failure)) return
      notices.fail(t('error.command', { command: t(`command.${direction}`) }), failureReason(failure), undefined, of)
      return
    }
    const act = acts.next(direction)
    const ongoing = direction === 'undo' ? ongoingAfter(workspace, act) : undefined
    if (ongoing) tellOngoing(workspace, ongoing)
    else if (act) await flip(workspace, act, { direction })
    else tell(workspace, t(direction === 'undo' ? 'command.reason.nothingDone' : 'command.reason.nothingUndone'))
  })
}

/** Milliseconds for which *Undo* waits for the answer to a change. */
const answerTime = 3000

async function areChangesAnswered(workspace: Workspace): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const clear = workspace.timeout(() => late.resolve(false), answerTime)
  const areAnswered = await Promise.race([changesAnswered().then(() => true), late.promise])
  clear()
  return areAnswered
}

function tellUnanswered(workspace: Workspace): void {
  tell(workspace, t('acts.unfinished'))
}

/** What goes on is not undone before it is stopped. */
function tellOngoing(workspace: Workspace, { key, title, resting, stop }: Ongoing): void {
  const stopAndUndo = async () => {
    if (stop) await workspace.use(tasksSlice).track(stop, t('jobs.cancelling'))
    await workspace.use(actsSlice).inOrder(async () => {
      const acts = workspace.use(actsSlice)
      await acts.refreshQuietly()
      const act = acts.list.peek().find((one) => one.key === key)
      if (act) await flip(workspace, act, { direction: 'undo' })
      else tell(workspace, t('command.reason.nothingDone'))
    })
  }
  const action = stop && { label: t('acts.stopAndUndo'), run: () => void stopAndUndo() }
  tell(workspace, resting === undefined ? t('acts.running', { work: title }) : `${resting} · ${title}`, action)
}

/** Tells what is neither a success nor a failure. */
function tell(workspace: Workspace, text: string, action?: NoticeAction): void {
  workspace.use(noticesSlice).succeed(text, { action, isNeutral: true })
}

/** A job is at work that this page may not have been told of yet. */
async function tellRunning(workspace: Workspace, act: Act, { direction }: How): Promise<void> {
  await workspace.use(jobsSlice).refresh()
  const ongoing = direction === 'undo' && ongoingAll(workspace).find(({ key }) => key === act.key)
  if (ongoing) tellOngoing(workspace, ongoing)
  else tellFailed(workspace, act, { text: t(failedKeys[direction], { act: actPhrase(act) }), detail: whyText('running') })
}

/** Undoes one act, or does it again, because its button was pressed: the second click of a double click does nothing. A failure is reported. */
export function flipAct(workspace: Workspace, act: Act, how: How): Promise<void> {
  const acts = workspace.use(actsSlice)
  const work = () => flip(workspace, act, how)
  return how.rest ? acts.inOrder(work) : acts.onPress(act, work)
}

/** Items up to which the page waits itself: of more, it may be closed or loaded anew meanwhile, which a job does not notice. */
const mostAwaited = 50

const failedKeys = { undo: 'acts.notUndone', redo: 'acts.notRedone' } as const

async function flip(workspace: Workspace, act: Act, how: How): Promise<void> {
  const acts = workspace.use(actsSlice)
  acts.withdrawOffer()
  workspace.use(noticesSlice).dismissFailures({ act: act.id })
  const ongoing = how.direction === 'undo' && ongoingAll(workspace).find(({ key }) => key === act.key)
  if (ongoing) return tellOngoing(workspace, ongoing)
  if (act.why === 'running') return tellRunning(workspace, act, how)
  if (!mayFlip(act, how.direction)) return tellImpossible(workspace, act)
  // A job may take hours, in which the person undoes nothing else unseen.
  if (act.byJob || act.count > mostAwaited) void finish(workspace, act, how, () => runByJob(workspace, act, how))
  else {
    const label = flipLabel(act, how.direction)
    await finish(workspace, act, how, () => workspace.use(tasksSlice).track(() => send(workspace, act, how), label))
  }
}

/** @param flipping returns undefined when it was cancelled */
async function finish(workspace: Workspace, act: Act, how: How, flipping: () => Promise<Undone | undefined>): Promise<void> {
  const acts = workspace.use(actsSlice)
  const before = folderNow(workspace)
  try {
    const undone = await flipping()
    if (!undone) return await acts.refreshQuietly()
    if (undone.done === 0 && undone.left.length > 0) return tellDiffering(workspace, undone, how)
    acts.noteFlip(undone.act, how.direction)
    // What is left cannot be undone now: another Undo is about the act before.
    acts.pass(act, how.direction === 'undo' && undone.left.length > 0)
    await show(workspace, before)
    tellDone(workspace, undone, how)
  } catch (failure) {
    if (isSignedOut(failure)) return
    const differing = undoneIn(failure)
    await acts.refreshQuietly()
    if (differing) return tellDiffering(workspace, differing, how)
    if (actNow(workspace, act)?.why === 'running') return tellRunning(workspace, act, how)
    const text = t(failedKeys[how.direction], { act: actPhrase(act) })
    tellFailed(workspace, act, { text, detail: reasonOf(workspace, act, failure) })
  }
}

/** Milliseconds between two attempts after a lost answer: the server may be at it still, and answers 503 until then. */
const pauses = [500, 1000, 2000, 4000, 8000, 15_000, 30_000]

/** Sends it. When the answer is lost it is sent again, which undoes no other act, unless it is undone by now. */
async function send(workspace: Workspace, act: Act, { direction, rest = false }: How): Promise<Undone> {
  const acts = workspace.use(actsSlice)
  const ask = () =>
    call(`POST /api/history/:id/${direction}`, { params: { id: act.id }, body: { rest }, signal: workspace.signal })
  let answer = await ask().catch((error: unknown) => error)
  for (const pause of isAnswerLost(answer) ? pauses : []) {
    await new Promise<void>((resolve) => workspace.timeout(resolve, pause))
    await acts.refreshQuietly()
    const now = actNow(workspace, act)
    if (now && !now.begun && now.state !== act.state) return { act: now, done: 0, left: [] }
    answer = await ask().catch((error: unknown) => error)
    if (!isAnswerLost(answer) && !isBusy(answer)) break
  }
  return orThrow(answer)
}

/** @throws what was caught */
function orThrow(answer: unknown): Undone {
  if (answer instanceof Error) throw answer
  return answer as Undone
}

const isBusy = (failure: unknown) => failure instanceof HttpFailure && failure.status === 503

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

/** Why it was refused: another page may have undone it, or done something since. */
function reasonOf(workspace: Workspace, act: Act, failure: unknown): string {
  const now = actNow(workspace, act)
  if (!(failure instanceof HttpFailure) || failure.status !== 409 || !now) return failureReason(failure)
  return now.why ? whyText(now.why) : t(now.state === 'undone' ? 'acts.isUndone' : 'acts.why.newer')
}

const actNow = (workspace: Workspace, act: Act): Act | undefined =>
  workspace
    .use(actsSlice)
    .list.peek()
    .find(({ id }) => id === act.id)

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

/** The next Undo is about another act. */
function tellImpossible(workspace: Workspace, act: Act): void {
  const acts = workspace.use(actsSlice)
  acts.pass(act)
  const text = t('acts.impossible', { act: actPhrase(act) })
  tellFailed(workspace, act, { text, detail: joinSentences(act.why && whyText(act.why), nextText(acts)) })
}

type Failed = { text: string; detail: string; action?: NoticeAction | undefined }

/** It goes when the act is tried again. */
function tellFailed(workspace: Workspace, act: Act, { text, detail, action }: Failed): void {
  workspace.use(noticesSlice).fail(text, detail, action, { act: act.id })
}

/** What *Undo* is about from now on, where that can be undone. */
function nextText(acts: Acts): string | undefined {
  const next = acts.next('undo')
  return next?.mayUndo ? t('acts.nextUndo', { act: actPhrase(next) }) : undefined
}

function tellDiffering(workspace: Workspace, { act, ...undone }: Undone, how: How): void {
  const text = t(failedKeys[how.direction], { act: actPhrase(act) })
  const acts = workspace.use(actsSlice)
  // Else nothing before it could be undone.
  acts.pass(act, how.direction === 'undo')
  const more = how.direction === 'undo' && nextText(acts)
  const action = hasRest(act, how) ? restAction(workspace, act, how) : undefined
  tellFailed(workspace, act, { text, detail: joinSentences(leftText(undone), more), action })
}

/** Kinds of acts that change one thing for each entry that was chosen. */
const simple: readonly Act['kind'][] = ['upload', 'newFolder', 'save', 'rename']

/** Whether something can be undone nevertheless, as far as the page can tell: a folder of one name holds many. */
const hasRest = (act: Act, { rest = false }: How): boolean => !rest && (act.count > 1 || !simple.includes(act.kind))

function tellDone(workspace: Workspace, { act, ...undone }: Undone, how: How): void {
  const { left } = undone
  const { direction } = how
  const count = countOf(act, undone)
  const text = t(direction === 'undo' ? 'acts.undone' : 'acts.redone', { act: actPhrase(act, count) })
  const back = direction === 'undo' ? 'redo' : 'undo'
  const action = mayFlip(act, back) ? flipAction(workspace, act, back, count) : undefined
  const detail = left.length > 0 ? { detail: leftText(undone) } : {}
  // It broke off, because something was changed meanwhile.
  const rest = left.length > 0 && hasRest(act, how) && mayFlip(act, direction) ? restAction(workspace, act, how) : undefined
  workspace.use(actsSlice).noticeId = workspace.use(noticesSlice).succeed(text, { ...detail, action: rest ?? action })
}

const mayFlip = (act: Act, direction: Direction): boolean => (direction === 'undo' ? act.mayUndo : act.mayRedo)

function restAction(workspace: Workspace, act: Act, how: How): NoticeAction {
  const run = () => void flipAct(workspace, act, { ...how, rest: true })
  return { label: t(how.direction === 'undo' ? 'acts.undoRest' : 'acts.redoRest'), run }
}

/** The button of a notice. @param part how many entries of the act it is about, where not about all */
export function flipAction(workspace: Workspace, act: Act, direction: Direction, part?: number): NoticeAction {
  return { label: flipLabel(act, direction, part), run: () => void flipAct(workspace, act, { direction }) }
}

type ShownFolder = { path: string; entries: SortedEntries; hasChosen: () => boolean }

const folderNow = (workspace: Workspace): ShownFolder => {
  const entryView = workspace.use(entryViewSlice)
  const { currentPath, sortedEntries } = entryView
  return { path: currentPath.value, entries: sortedEntries.value, hasChosen: noteSelection(entryView) }
}

/** Selects what has come into the folder that is shown, or moves the focus from what has gone. */
async function show(workspace: Workspace, before: ShownFolder): Promise<void> {
  const entryView = workspace.use(entryViewSlice)
  // On another page nothing of a folder is shown.
  if (entryView.state.value.kind === 'nothing') return
  await entryView.refresh()
  const now = folderNow(workspace)
  if (now.path !== before.path || !entryView.isFolderShown() || before.hasChosen()) return
  const came = now.entries.entries.map(({ key }) => key).filter((key) => before.entries.indexOf(key) === undefined)
  const gone = before.entries.entries.map(({ key }) => key).filter((key) => now.entries.indexOf(key) === undefined)
  if (came[0] !== undefined) {
    entryView.showNew(came)
    entryView.reveal(came[0], 'quietly')
  } else if (gone.length > 0) entryView.focusNeighbour(before.entries, new Set(gone))
}
