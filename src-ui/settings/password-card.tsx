import { useId, useState } from 'react'
import { call, HttpFailure } from '../api/http.ts'
import { saidBy } from '../core/failure-reason.ts'
import { useUnsavedForm } from '../core/unsaved-form.ts'
import { useSaving } from '../core/use-saving.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Card, Section } from '../ui/card.tsx'
import { Field, FieldError, useRefusedFocus } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { shortestPassword } from '../users/strength.ts'
import { Update } from './update-foot.tsx'

const empty = { current: '', next: '', again: '' }
type Texts = typeof empty
/** What is said below a field; of the repeated one it is said anyway. */
type Problems = { current?: string; next?: string; isAgainWrong?: boolean }

/** One's own password. Nothing is sent before both new ones are equal and not empty. */
export const PasswordCard = view(function PasswordCard() {
  const { user } = useWorkspace()
  const [texts, setTexts] = useState(empty)
  const [problems, setProblems] = useState<Problems>({})
  const { isBusy, save } = useSaving()
  const foot = useRefusedFocus<HTMLDivElement>(Object.keys(problems).length > 0 && problems)
  const matchId = useId()
  // A browser may fill in the current one by itself.
  const isChanged = texts.next !== '' || texts.again !== ''
  useUnsavedForm(isChanged)
  const update = async () => {
    if (!isChanged) return
    if (texts.next !== texts.again) return setProblems({ isAgainWrong: true })
    setProblems({})
    const isDone = await save({
      work: () => changePassword(user.peek()?.id ?? 0, texts),
      done: () => t('settings.password.updated'),
      failed: t('settings.password.notUpdated'),
      onFailure: (failure) => {
        const found = problemOf(failure)
        setProblems(found ?? {})
        return found !== undefined
      },
    })
    if (isDone) setTexts(empty)
  }
  const fieldOf = (name: keyof Texts) => ({
    type: 'password',
    value: texts[name],
    autoComplete: name === 'current' ? 'current-password' : 'new-password',
    onChange: (event: { target: HTMLInputElement }) => setTexts({ ...texts, [name]: event.target.value }),
  })
  const match = matchOf(texts)
  const title = t('settings.password.title')
  return (
    <Card label={title} onSubmit={() => void update()}>
      <Section title={title} text={t('settings.password.text', { count: shortestPassword })}>
        {/* For password managers, which store the name too. */}
        <input type="text" autoComplete="username" value={user.value?.username ?? ''} readOnly hidden />
        <Field label={t('settings.password.current')} error={problems.current} {...fieldOf('current')} />
        <div className="pair">
          <Field label={t('settings.password.next')} error={problems.next} data-match={match} {...fieldOf('next')} />
          <Field
            label={t('settings.password.again')}
            data-match={match}
            problemId={match === 'different' && problems.isAgainWrong ? matchId : undefined}
            {...fieldOf('again')}
          />
        </div>
        <Match match={match} id={matchId} />
        <div className="form-foot" ref={foot}>
          <Update isBusy={isBusy} isChanged={isChanged} />
        </div>
      </Section>
    </Card>
  )
})

type Match = 'same' | 'different' | undefined

/** Undefined while both are empty. */
const matchOf = ({ next, again }: Texts): Match =>
  next === '' && again === '' ? undefined : next === again ? 'same' : 'different'

/** What the colours of the two fields say, in words. */
function Match({ match, id }: { match: Match; id: string }) {
  if (!match) return null
  if (match === 'different') return <FieldError id={id} text={t('settings.password.different')} />
  return (
    <p className="field-error field-success" role="status">
      <Icon name="circle-check" small />
      <span>{t('settings.password.same')}</span>
    </p>
  )
}

function changePassword(id: number, { current, next }: Texts): Promise<unknown> {
  const data = { id, password: next }
  return call('PUT /api/users/:id', { id, body: { what: 'user', which: ['password'], data, current_password: current } })
}

/** The field that a refusal is about. */
function problemOf(failure: unknown): Problems | undefined {
  if (!(failure instanceof HttpFailure) || failure.status !== 400) return undefined
  return failure.refusal?.code === 'wrongPassword' ? { current: t('settings.password.wrong') } : { next: saidBy(failure) }
}
