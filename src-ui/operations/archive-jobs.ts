// Archives that the server makes of entries or extracts, without the page.

import type { JobDetails, NameEncoding } from '../../src-server/contract/jobs.ts'
import type { Refusal } from '../../src-server/contract/refusals.ts'
import { reportDone } from '../acts/offer-undo.ts'
import { entryViewSlice, noteSelection } from '../core/entry-view.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { type OverlayKinds, overlaysSlice } from '../core/overlay.ts'
import { nameOf, parentOf, pathIn } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { failureIn } from '../jobs/job-words.ts'
import type { JobAsked } from '../jobs/jobs.ts'
import { visibleName } from '../ui/file-names.ts'
import type { ArchiveFormat, Packed } from './download.ts'
import { isLongSince, runShown } from './run-job.ts'

type Compressed = Packed & Readonly<{ name: string; format: ArchiveFormat }>

/** Makes an archive in a folder, and says what came of it. */
export function compress(workspace: Workspace, { items, folder, name, format }: Compressed): Promise<void> {
  const entries = items.length > 0 ? items.map(({ path }) => path) : [folder]
  return runAndTell(
    workspace,
    { kind: 'compress', entries, to: folder, name: name.toWellFormed(), format },
    {
      label: t('jobs.compressing', { name: isolate(name) }),
      done: t('jobs.compressed'),
      failed: t('jobs.notCompressed'),
      madeIn: ({ renamed }) => renamed[0]?.to ?? pathIn(folder, name),
    },
  )
}

/** Extracts archives, each beside itself, and says what came of it. @param names what the names in them are that are not UTF-8 */
export async function extract(workspace: Workspace, paths: readonly string[], names?: NameEncoding): Promise<void> {
  for (const [folder, here] of Map.groupBy(paths, parentOf)) {
    const [only, ...others] = here
    const isOne = only && others.length === 0
    await runAndTell(
      workspace,
      { kind: 'extract', entries: here, to: folder, ...(names && { names }) },
      {
        label: isOne ? t('jobs.extracting', { name: isolate(visibleName(nameOf(only))) }) : t('jobs.extractingAll'),
        done: t('jobs.extracted', { folder: isolate(visibleName(nameOf(folder)) || t('sidebar.myFiles')) }),
        failed: t('jobs.notExtracted'),
        madeIn: ({ renamed }) => renamed[0]?.to,
      },
    )
  }
}

type Telling = Readonly<{
  label: string
  done: string
  failed: string
  /** The path of what was made. */
  madeIn(details: JobDetails): string | undefined
}>

async function runAndTell(workspace: Workspace, job: JobAsked & { to: string }, telling: Telling): Promise<void> {
  const notices = workspace.use(noticesSlice)
  const hasChosen = noteSelection(workspace.use(entryViewSlice))
  const since = workspace.now()
  try {
    const details = await runShown(workspace, job, { label: telling.label })
    if (!details) return
    const asked = details.failures.filter(({ refusal }) => refusal?.code === 'archiveNotUtf8' && choicesOf(refusal).length > 0)
    for (const { path, refusal } of asked) askNames(workspace, path, refusal)
    const [failure] = details.failures.filter((one) => !asked.includes(one))
    const why =
      failure &&
      t('transfer.failure', { name: isolate(visibleName(nameOf(failure.path))), cause: failureReason(failureIn(failure)) })
    if (details.done > 0) {
      const made = telling.madeIn(details)
      const mayReveal = !isLongSince(workspace, since) && !hasChosen()
      await show(workspace, job.to, mayReveal ? made : undefined)
      reportDone(workspace, telling.done, details.id)
    }
    if (why) notices.fail(telling.failed, why)
  } catch (failure) {
    if (!isSignedOut(failure)) notices.fail(telling.failed, failureReason(failure))
  }
}

const encodings: readonly NameEncoding[] = ['cp437', 'shift_jis', 'gbk', 'windows-1251']

/** What the names in an archive may be, as the server has read some of them. */
function choicesOf(refusal: Refusal): OverlayKinds['archiveNames']['choices'] {
  return encodings.flatMap((encoding) => {
    const names = refusal.params[encoding]
    return names === undefined ? [] : [{ encoding, names: String(names).split('\n') }]
  })
}

function askNames(workspace: Workspace, path: string, refusal: Refusal | undefined): void {
  if (!refusal) return
  const likely = encodings.find((one) => one === refusal.params.likely)
  workspace.use(overlaysSlice).ask({ kind: 'archiveNames', path, likely, choices: choicesOf(refusal) })
}

/** @param made what is selected and scrolled to */
async function show(workspace: Workspace, folder: string, made: string | undefined): Promise<void> {
  const entryView = workspace.use(entryViewSlice)
  if (entryView.currentPath.value !== folder || !entryView.isFolderShown()) return
  await entryView.refresh()
  if (made === undefined) return
  entryView.showNew([made])
  entryView.reveal(made, 'quietly')
}
