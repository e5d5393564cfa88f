// What is said of a job.
import type { Undone } from '../../src-server/contract/history.ts'
import type { Job, JobDetails, JobKind } from '../../src-server/contract/jobs.ts'
import { HttpFailure } from '../api/http.ts'
import { noticesSlice } from '../core/notices.ts'
import { reportedSlice } from '../core/own-acts.ts'
import { nameOf, parentOf } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import { formatDuration, formatPercent, formatSize } from '../i18n/format.ts'
import { isolate, type Key, t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import type { JobAct } from './jobs.ts'
import { leftText } from './left-words.ts'

type Words = Readonly<{ one: Key; many: Key; done: Key; failed: Key }>

const copying: Words = {
  one: 'jobs.copying',
  many: 'transfer.working.copy',
  done: 'transfer.copied',
  failed: 'transfer.notCopied',
}
/** By kind; another kind is not shown. */
const words: Readonly<Partial<Record<string, Words>>> = {
  copy: copying,
  move: { one: 'jobs.moving', many: 'transfer.working.move', done: 'transfer.moved', failed: 'transfer.notMoved' },
  delete: { one: 'jobs.deleting', many: 'remove.working', done: 'remove.done', failed: 'remove.failed' },
  restore: { one: 'trash.restoring', many: 'trash.restoring', done: 'trash.restored', failed: 'trash.notRestored' },
  purge: { one: 'remove.working', many: 'remove.working', done: 'remove.done', failed: 'remove.failed' },
  compress: { one: 'jobs.compressing', many: 'jobs.compressing', done: 'jobs.compressed', failed: 'jobs.notCompressed' },
  extract: { one: 'jobs.extracting', many: 'jobs.extractingAll', done: 'jobs.extracted', failed: 'jobs.notExtracted' },
  undo: { one: 'command.undo', many: 'command.undo', done: 'acts.isUndone', failed: 'acts.how.failed' },
}
const redoing: Words = { one: 'command.redo', many: 'command.redo', done: 'jobs.isRedone', failed: 'acts.how.failed' }
const wordsOf = ({ kind, redo, trash }: Pick<Job, 'kind' | 'redo' | 'trash'>): Words => {
  const found = redo ? redoing : (words[kind] ?? copying)
  return kind === 'delete' && trash ? { ...found, done: 'remove.trashed' } : found
}

const isDone = ({ state, failed, skipped }: Job): boolean => state === 'ended' && failed === 0 && skipped === 0
const folderOf = ({ to }: Pick<Job, 'to'>): string => isolate((to && visibleName(nameOf(to))) || t('sidebar.myFiles'))
/** Its entries are known by their ids, which tell nobody anything. */
export const isOfTrash = ({ kind }: Pick<Job, 'kind'>): boolean => kind === 'restore' || kind === 'purge'
/** The name of the first entry, which stands for the job in the names of its buttons. @param act what is undone, if it is known */
export function firstName(job: Pick<Job, 'kind' | 'first' | 'redo'>, act?: string): string {
  if (job.kind === 'undo') return act ?? t(wordsOf(job).one)
  return isolate(isOfTrash(job) ? t('title.trash') : visibleName(nameOf(job.first)) || t('sidebar.myFiles'))
}

/** `Copying “photographs” to “Archive”`, or `12 items copied to “Archive”`. @param act what is undone, if it is known */
export function titleOf(job: Job, act?: string): string {
  if (job.kind === 'undo' && act !== undefined) return undoTitle(job, act)
  const { one, many, done } = wordsOf(job)
  const folder = folderOf(job)
  if (job.unchanged) return t(nothingOf(job))
  if (isDone(job)) return t(done, { count: job.done, folder })
  return job.entries === 1 ? t(one, { name: firstName(job), folder, count: 1 }) : t(many, { count: job.entries, folder })
}

/** `Undo copy of 3 items`, and when it is over what came of it. */
function undoTitle(job: Job, act: string): string {
  const words = job.redo ? redoKeys : undoKeys
  const key = job.unchanged || job.failed > 0 ? words.not : isDone(job) ? words.done : words.doing
  return t(key, { act })
}

const undoKeys = { doing: 'acts.undo', done: 'acts.undone', not: 'acts.notUndone' } as const
const redoKeys = { doing: 'acts.redo', done: 'acts.redone', not: 'acts.notRedone' } as const

const nothingOf = ({ redo }: Job): Key => (redo ? 'jobs.nothingRedone' : 'jobs.nothingUndone')

const restingKeys = { paused: 'uploads.paused', interrupted: 'jobs.interrupted', asking: 'jobs.asks' } as const

/** Why a job that is not over does not go on; undefined when it does. */
export const restingOf = ({ state }: Pick<Job, 'state'>): string | undefined =>
  state in restingKeys ? t(restingKeys[state as keyof typeof restingKeys]) : undefined

/** Whether it makes progress, or will without anybody. */
export const isActive = ({ state }: Pick<Job, 'state'>): boolean =>
  ['waiting', 'running', 'pausing', 'cancelling'].includes(state)

/** How far it is, or why it does not go on. */
export function stateOf(job: Job): string {
  const { state, entries, done, failed, skipped } = job
  const rest: Partial<Record<Job['state'], Key>> = {
    ...restingKeys,
    ...{ waiting: 'uploads.waiting', cancelling: 'jobs.cancelling', cancelled: 'jobs.cancelled' },
  }
  if (state === 'ended') return isDone(job) ? '' : t('jobs.items', { number: done, count: entries })
  const key = rest[state]
  if (!key) return progressOf(job)
  if (state === 'waiting') return t(key)
  const isByEntry = entries > 1 && !job.progress
  // What was left out of one that is over is not there.
  const number = state === 'cancelled' ? done : done + failed + skipped
  const counts = isByEntry ? [t('jobs.items', { number, count: entries })] : progressedOf(job)
  return [t(key), ...counts, ...againOf(job)].join(' · ')
}

/** What a pause has dropped of large files: it is copied again. */
const againOf = ({ kind, state, progress }: Job): string[] =>
  state === 'paused' && progress?.again && (kind === 'copy' || kind === 'move')
    ? [t('jobs.again', { size: formatSize(progress.again) })]
    : []

/** What is done of all that was named, as far as it was told. */
const progressedOf = (job: Job): string[] => (job.progress ? [itemsOf(job.progress), ...bytesOf(job)] : [])

/** `50 of 200 items`, or `50 items` while it is counted how many there are. */
const itemsOf = ({ files, ofFiles, isCounting }: NonNullable<Job['progress']>): string =>
  isCounting ? t('download.items', { count: files }) : t('jobs.items', { number: files, count: ofFiles })

/** How many run; else what those wait for that are not over, or how they have ended. */
export function headingOf(jobs: readonly Job[]): string {
  const running = jobs.filter(isActive)
  if (running.length > 0) return t('jobs.underWay', { number: running.length })
  const states = new Set(jobs.map(({ state }) => state))
  const open = (['asking', 'interrupted', 'paused'] as const).find((state) => states.has(state))
  if (open) return t(restingKeys[open])
  if (jobs.some(({ failed, unchanged = 0 }) => failed + unchanged > 0)) return t('jobs.finishedWith')
  // The newest is the first.
  return t(jobs[0]?.state === 'cancelled' ? 'jobs.cancelled' : 'jobs.finished')
}

/** How many entries of a copy the server undoes. */
const mostUndone = 100_000

function progressOf(job: Job): string {
  const { ofFiles = job.entries, left } = job.progress ?? {}
  return [
    job.progress ? itemsOf(job.progress) : t('jobs.items', { number: 0, count: ofFiles }),
    ...bytesOf(job),
    left !== undefined && t('uploads.timeLeft', { time: formatDuration(left) }),
    job.kind === 'copy' && ofFiles > mostUndone && t('acts.tooLarge'),
  ]
    .filter((part) => part !== false)
    .map(unbroken)
    .join(' · ')
}

/** A line ends between two parts, and not before a unit. */
const unbroken = (part: string): string => part.replaceAll(' ', '\u00a0')

/** Whether its bytes say how far it is: a removal takes as long for a large file as for a small one. */
export const isTransfer = (kind: JobKind): boolean => ['copy', 'move', 'compress', 'extract'].includes(kind)

/** `6.1 GB of 14.9 GB` and the speed, or how much is copied while it is not known of how much; of a removal nothing. */
function bytesOf({ kind, progress }: Job): string[] {
  const { bytes = 0, ofBytes, speed } = progress ?? {}
  if (bytes === 0 || !isTransfer(kind)) return []
  const done = ofBytes === undefined ? formatSize(bytes) : sumText({ bytes, ofBytes })
  return speed === undefined ? [done] : [done, t('uploads.speed', { size: formatSize(speed) })]
}

/** `6.1 GB of 14.9 GB` */
export const sumText = ({ bytes, ofBytes }: Readonly<{ bytes: number; ofBytes: number }>): string =>
  t('uploads.sum', { loaded: formatSize(bytes), total: formatSize(ofBytes) })

export const percentText = (percent: number): string => isolate(formatPercent(percent / 100))

/** Why an undo has changed nothing. */
export function unchangedText(details: JobDetails | undefined): string {
  const undone = details?.values[0]?.value as Undone | undefined
  return undone ? leftText(undone) : ''
}

/** How many entries have failed: of a folder of which the rest is done, those in it. */
export const failedIn = (job: Job, details?: JobDetails): number =>
  Math.max(job.failed, details?.failed === job.failed ? details.failures.length + (details.moreFailures ?? 0) : 0)

/** `3 items were not deleted` */
export const failureText = (job: Job, details?: JobDetails): string => t(wordsOf(job).failed, { count: failedIn(job, details) })

type FailedEntry = JobDetails['failures'][number]

/** `photographs/2019/a.jpg` of an entry in a folder that was to be moved. */
export const failedName = ({ path, of }: Pick<FailedEntry, 'path' | 'of'>): string =>
  of === undefined ? nameOf(path) : path.slice(parentOf(of).length).replace(/^\//, '')

const statusOf: Readonly<Record<string, number>> = {
  ...{ unauthorized: 401, forbidden: 403, notFound: 404, conflict: 409, changed: 412 },
  ...{ tooMany: 429, busy: 503, full: 507 },
}

const buttons = {
  pause: 'uploads.pause',
  resume: 'uploads.resume',
  continue: 'jobs.continue',
  cancel: 'action.cancel',
  retry: 'action.retry',
  number: 'prompts.replace.keepBoth',
  replace: 'prompts.replace.replace',
  skip: 'prompts.replace.skip',
} as const

/** What is written on the button for it. */
export const wordOf = (act: JobAct): string => t(buttons['answer' in act ? act.answer.taken : act.action])

/** Why an entry failed, as the failure of a call for it alone. */
export function failureIn({ code, message, refusal }: FailedEntry): HttpFailure {
  const { name } = refusal?.params ?? {}
  // That of an entry of an archive, which may have any direction.
  const shown = refusal &&
    typeof name === 'string' && { ...refusal, params: { ...refusal.params, name: isolate(visibleName(name)) } }
  return new HttpFailure(statusOf[code] ?? 500, message, { reason: message, refusal: shown || refusal })
}

/** Reports the end of a job that this page did not begin, or that was tried again. @param act what is undone, if it is known */
export function reportEnd(workspace: Workspace, job: Job, act?: string): void {
  const notices = workspace.use(noticesSlice)
  if (job.kind === 'undo' && act !== undefined && isOverWith(job)) tellUndone(workspace, job, act)
  else if (job.failed > 0)
    offerUndo(workspace, job, { notice: notices.fail(failureText(job), undefined, undefined, { act: job.id }), isFailure: true })
  else if (job.unchanged) notices.fail(t(nothingOf(job)))
  else if (job.state === 'ended' && job.done > 0)
    tellUndoable(workspace, job, t(wordsOf(job).done, { count: job.done, folder: folderOf(job) }))
  else if (job.state === 'cancelled') tellUndoable(workspace, job, titleOf(job), { detail: stateOf(job) })
}

const isOverWith = ({ state, failed, unchanged = 0 }: Job): boolean => state === 'ended' || failed + unchanged > 0

function tellUndone(workspace: Workspace, job: Job, act: string): void {
  const notices = workspace.use(noticesSlice)
  if (job.failed > 0 || job.unchanged) notices.fail(undoTitle(job, act), undefined, undefined, { act: job.id })
  else notices.succeed(undoTitle(job, act))
}

/** The notice offers to undo it, when there is something to undo. */
function tellUndoable(workspace: Workspace, job: Job, text: string, rest: { detail?: string } = {}): void {
  const notice = workspace.use(noticesSlice).succeed(text, { ...rest, isNeutral: job.state === 'cancelled' })
  offerUndo(workspace, job, { notice })
}

function offerUndo(workspace: Workspace, { id, kind }: Job, told: { notice: number; isFailure?: boolean }): void {
  if (kind !== 'undo' && kind !== 'purge') workspace.use(reportedSlice).value = { act: id, ...told }
}
