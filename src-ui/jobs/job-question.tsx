import { useEffect, useState } from 'react'
import type { Job, JobDetails } from '../../src-server/contract/jobs.ts'
import { nameOf, parentOf } from '../core/paths.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { visibleName } from '../ui/file-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Versions } from '../ui/versions.tsx'
import { view } from '../ui/view.tsx'
import { jobsSlice } from './jobs.ts'
import { factsOf, type QuestionFacts, type QuestionKind } from './question-kind.ts'

/** Asks about the first name that is taken. The other entries of the job go on meanwhile. */
export const JobQuestion = view(function JobQuestion({ job }: { job: Job }) {
  const workspace = useWorkspace()
  const jobs = workspace.use(jobsSlice)
  const [isForAll, setForAll] = useState(false)
  const question = jobs.details.value.get(job.id)?.questions[0]
  const facts = useFacts(job, question)
  const kind = facts?.kind
  if (!question) return null
  const rest = job.asked - 1
  const folder = visibleName(nameOf(parentOf(question.to))) || t('sidebar.myFiles')
  // The remaining ones may be files.
  const isMerge = kind === 'merge' && !(isForAll && rest > 0)
  const isPossible = kind !== undefined && kind !== 'mixed' && (kind !== 'makesWay' || workspace.may('delete'))
  const note = kind === 'makesWay' && !(workspace.may('modify') && isPossible) ? undefined : noteOf(kind)
  const answer = (taken: 'number' | 'replace' | 'skip') =>
    void jobs.act(job.id, { answer: { question: question.question, taken, all: isForAll } })
  return (
    <li className="transfer transfer-ask">
      <Icon name="help-circle" className="transfer-icon" />
      <span className="transfer-name">
        {t('prompts.replace.holds', { folder: isolate(folder), name: isolate(visibleName(nameOf(question.to))) })}
      </span>
      <div className="transfer-facts">
        {note && <span className="transfer-state">{note}</span>}
        <Sides facts={facts} isRestored={job.kind === 'restore'} isHidden={note !== undefined} />
      </div>
      <div className="transfer-answer">
        {rest > 0 && (
          <label className="choice">
            <input className="check" type="checkbox" checked={isForAll} onChange={({ target }) => setForAll(target.checked)} />
            <span>{t('prompts.taken.rest', { count: rest })}</span>
          </label>
        )}
        <Button small label={t('prompts.replace.keepBoth')} onClick={() => answer('number')} />
        {workspace.may('modify') && (
          // Its place is kept while it is not known whether it can be done: no other answer moves under the pointer.
          <Button
            small
            kind="quiet"
            label={t(isMerge ? 'prompts.taken.mergeThem' : 'prompts.replace.replace')}
            aria-disabled={!isPossible || undefined}
            onClick={() => isPossible && answer('replace')}
          />
        )}
        <Button small kind="quiet" label={t('prompts.replace.skip')} onClick={() => answer('skip')} />
      </div>
    </li>
  )
})

type SidesProps = {
  facts: QuestionFacts | undefined
  isRestored: boolean
  /** Something else is said in their place, which is kept. */
  isHidden: boolean
}

/** Size and date of both files, as far as they are known, as the prompt about names that are taken shows them. */
const Sides = view(function Sides({ facts, isRestored, isHidden }: SidesProps) {
  const isKnown = facts?.coming !== undefined && facts.there !== undefined
  const coming = { title: t(isRestored ? 'prompts.taken.restored' : 'prompts.taken.coming'), ...(facts?.coming ?? unknown) }
  const versions = <Versions coming={coming} there={{ title: t('prompts.replace.there'), ...(facts?.there ?? unknown) }} />
  if (isKnown) return versions
  return (
    <div className={isHidden ? 'transfer-hidden' : undefined} aria-hidden="true">
      {versions}
    </div>
  )
})

const unknown = { size: Number.NaN, modified: Number.NaN }

/** As the prompt about names that are taken says it. */
function noteOf(kind: QuestionKind | undefined): string | undefined {
  return kind && kind !== 'replace' ? t(`prompts.taken.${kind}`) : undefined
}

/** @returns undefined until it is known: nothing is replaced unseen */
function useFacts({ kind: ofJob }: Job, question: JobDetails['questions'][number] | undefined): QuestionFacts | undefined {
  const [known, setKnown] = useState<QuestionFacts & { question: string }>()
  const id = question?.question
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each question
  useEffect(() => {
    if (!question) return
    const leaving = new AbortController()
    const { signal } = leaving
    void factsOf(question, ofJob, signal).then((facts) => {
      if (!signal.aborted) setKnown({ question: question.question, ...facts })
    })
    return () => leaving.abort()
  }, [id])
  return known?.question === id ? known : undefined
}
