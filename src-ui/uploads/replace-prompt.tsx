import { useEffect, useState } from 'react'
import { nameOf } from '../core/paths.ts'
import { user } from '../core/session.ts'
import { isolate, t } from '../i18n/t.ts'
import { ChoiceButtons, ForRest, Note } from '../operations/choice-parts.tsx'
import { Versions } from '../operations/versions.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import type { UploadJob } from './upload-jobs.ts'
import type { Choice } from './upload-queue.ts'
import { answerConflicts, conflicts, inspectConflict } from './uploads.ts'

/** An upload's name is taken: replace, keep both or skip, for this one or for all that wait. */
export const ReplacePrompt = view(function ReplacePrompt() {
  const [forAll, setForAll] = useState(false)
  const waiting = conflicts.value
  const [job] = waiting
  useInspection(job)
  if (!job) return null
  const answer = (choice: Choice) => answerConflicts(forAll ? waiting : [job], choice, { forAll })
  const folder = nameOf(job.path.slice(0, job.path.lastIndexOf('/'))) || t('sidebar.myFiles')
  const rest = waiting.length - 1
  return (
    <Dialog
      title={t('prompts.replace.title', { count: waiting.length })}
      description={t('prompts.replace.holds', { folder: isolate(folder), name: isolate(nameOf(job.path)) })}
      wide
      onClose={() => answerConflicts(waiting, 'skip', { forAll: true })}
      foot={<ChoiceButtons onAnswer={answer} mayReplace={mayReplace(forAll ? waiting : [job])} />}
    >
      <Sides job={job} />
      {rest > 0 && <ForRest label={t('prompts.replace.rest', { count: rest })} isOn={forAll} onChange={setForAll} />}
    </Dialog>
  )
})

const Sides = view(function Sides({ job: { file, size, existing } }: { job: UploadJob }) {
  if (existing?.isDir) return <Note icon="folder" text={t('prompts.replace.folderInWay')} />
  const yours = { title: t('prompts.replace.yours'), size, modified: file instanceof File ? file.lastModified : Number.NaN }
  const there = {
    title: t('prompts.replace.there'),
    size: existing?.size ?? Number.NaN,
    modified: Date.parse(existing?.modified ?? ''),
  }
  return <Versions coming={yours} there={there} />
})

// Replacing changes a file, which is a right of its own; and a file cannot take a folder's place.
const mayReplace = (jobs: readonly UploadJob[]): boolean =>
  (user.value?.perm.modify ?? false) && jobs.every((job) => !job.existing?.isDir)

function useInspection(job: UploadJob | undefined): void {
  useEffect(() => {
    if (job && !job.existing) void inspectConflict(job)
  }, [job])
}
