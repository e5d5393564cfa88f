import { useEffect, useState } from 'react'
import { isolate, t } from '../../i18n/t.ts'
import { nameOf } from '../../state/crumbs.ts'
import { user } from '../../state/session.ts'
import type { UploadJob } from '../../state/upload-job.ts'
import type { Choice } from '../../state/upload-queue.ts'
import { answerConflicts, conflicts, inspectConflict } from '../../state/uploads.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { view } from '../../view.tsx'
import { Versions } from './versions.tsx'

/** An upload's name is taken: replace, keep both or skip, for this one or for all that wait. */
export const ReplacePrompt = view(function ReplacePrompt() {
  const [forAll, setForAll] = useState(false)
  const waiting = conflicts.value
  const [job] = waiting
  useInspection(job)
  if (!job) return null
  const answer = (choice: Choice) => answerConflicts(forAll ? waiting : [job], choice)
  const folder = nameOf(job.path.slice(0, job.path.lastIndexOf('/'))) || t('sidebar.myFiles')
  return (
    <Dialog
      title={t('prompts.replace.title', { count: waiting.length })}
      wide
      onClose={() => answerConflicts(waiting, 'skip')}
      foot={<Foot onAnswer={answer} mayReplace={mayReplace(forAll ? waiting : [job])} />}
    >
      <p className="muted">{t('prompts.replace.holds', { folder: isolate(folder), name: isolate(nameOf(job.path)) })}</p>
      <Versions job={job} />
      {waiting.length > 1 && <Rest count={waiting.length - 1} isOn={forAll} onChange={setForAll} />}
    </Dialog>
  )
})

function Rest({ count, isOn, onChange }: { count: number; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="choice">
      <input className="check" type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span>{t('prompts.replace.rest', { count })}</span>
    </label>
  )
}

function Foot({ onAnswer, mayReplace }: { onAnswer: (choice: Choice) => void; mayReplace: boolean }) {
  return (
    <>
      <Button kind="quiet" label={t('prompts.replace.skip')} onClick={() => onAnswer('skip')} />
      <span className="grow" />
      {mayReplace && <Button label={t('prompts.replace.replace')} onClick={() => onAnswer('replace')} />}
      <Button kind="primary" data-first-focus label={t('prompts.replace.keepBoth')} onClick={() => onAnswer('keepBoth')} />
    </>
  )
}

// Replacing changes a file, which is a right of its own; and a file cannot take a folder's place.
const mayReplace = (jobs: readonly UploadJob[]): boolean =>
  (user.value?.perm.modify ?? false) && jobs.every((job) => !job.existing?.isDir)

function useInspection(job: UploadJob | undefined): void {
  useEffect(() => {
    if (job && !job.existing) void inspectConflict(job)
  }, [job])
}
