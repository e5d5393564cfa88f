import { useEffect, useState } from 'react'
import type { Opened } from '../core/overlay.ts'
import { nameOf } from '../core/paths.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { ChoiceButtons, ForRest, Note } from '../operations/choice-parts.tsx'
import type { Choice } from '../operations/conflicts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Versions } from '../ui/versions.tsx'
import { view } from '../ui/view.tsx'
import { isLikelyItself } from './likely-itself.ts'
import type { UploadJob } from './upload-jobs.ts'
import { uploadsSlice } from './uploads-slice.ts'

/** Asks what to do about an upload whose name is taken, for this one or for all that wait. */
export const UploadConflictPrompt = view(function UploadConflictPrompt({ onClose }: Opened<'uploadConflicts'>) {
  const workspace = useWorkspace()
  const uploads = workspace.use(uploadsSlice)
  const [forAll, setForAll] = useState(false)
  const waiting = uploads.conflicts.value
  const [job] = waiting
  useInspection(job)
  if (!job) return null
  const answered = forAll ? waiting : [job]
  const answer = (choice: Choice) => uploads.answer(answered, choice, { forAll })
  const best = answered.every(isLikelyItself) ? 'skip' : 'keepBoth'
  const folder = nameOf(job.path.slice(0, job.path.lastIndexOf('/'))) || t('sidebar.myFiles')
  const rest = waiting.length - 1
  return (
    <Dialog
      title={t('prompts.replace.title', { count: waiting.length })}
      description={t('prompts.replace.holds', { folder: isolate(folder), name: isolate(nameOf(job.path)) })}
      wide
      onClose={onClose}
      foot={<ChoiceButtons onAnswer={answer} mayReplace={mayReplace(workspace, answered)} best={best} />}
    >
      <Sides job={job} />
      {rest > 0 && <ForRest label={t('prompts.replace.rest', { count: rest })} isOn={forAll} onChange={setForAll} />}
    </Dialog>
  )
})

const Sides = view(function Sides({ job }: { job: UploadJob }) {
  const { file, size, existing } = job
  if (existing?.isDir) return <Note icon="folder" text={t('prompts.replace.folderInWay')} />
  const yours = { title: t('prompts.replace.yours'), size, modified: file instanceof File ? file.lastModified : Number.NaN }
  const there = {
    title: t('prompts.replace.there'),
    size: existing?.size ?? Number.NaN,
    modified: Date.parse(existing?.modified ?? ''),
  }
  return (
    <>
      {isLikelyItself(job) && <Note icon="info-circle" text={t('prompts.replace.itself')} />}
      <Versions coming={yours} there={there} />
    </>
  )
})

// Replacing needs the permission to modify; a file cannot replace a folder.
const mayReplace = (workspace: Workspace, jobs: readonly UploadJob[]): boolean =>
  workspace.may('modify') && jobs.every((job) => !job.existing?.isDir)

function useInspection(job: UploadJob | undefined): void {
  const uploads = useSlice(uploadsSlice)
  useEffect(() => {
    if (job && !job.existing) void uploads.inspect(job)
  }, [uploads, job])
}
