import { useId, useState } from 'react'
import type { RuleVerdict } from '../../src-server/contract/rules.ts'
import { call, HttpFailure } from '../api/http.ts'
import { settingsFailureReason } from '../core/use-saving.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { filled, type RuleDraft, rulesOf } from './user-draft.ts'

type Props = {
  /** The global rules as they are typed; undefined: as they are stored. */
  global?: readonly RuleDraft[] | undefined
  /** The rules of the user as they are typed; undefined: those of the user who is named in a field. */
  own?: readonly RuleDraft[] | undefined
}

type Ended = { verdict?: RuleVerdict; failure?: unknown; about: string }

/** Tries a path: says whether the rules allow it, and which of them decides. Nothing is stored. */
export const RuleTrial = view(function RuleTrial({ global, own }: Props) {
  const { signal } = useWorkspace()
  const id = useId()
  const [username, setUsername] = useState('')
  const [path, setPath] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [ended, setEnded] = useState<Ended>()
  const body = { path, ...(own ? { own: rulesOf(own) } : { username }), ...(global && { global: rulesOf(global) }) }
  const about = JSON.stringify(body)
  const tryIt = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      setEnded({ verdict: await call('POST /api/rules/try', { body, signal }), about })
    } catch (failure) {
      setEnded({ failure, about })
    }
    setBusy(false)
  }
  const fieldOf = (value: string, onValue: (value: string) => void) => ({
    value,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    onChange: (event: { target: HTMLInputElement }) => onValue(event.target.value),
    // Enter must not submit the form around it.
    onKeyDown: (event: { key: string; preventDefault(): void }) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      void tryIt()
    },
  })
  // What was typed since then is another trial.
  const shown = ended?.about === about ? ended : undefined
  return (
    <fieldset className="trial" aria-labelledby={`${id}-title`}>
      <span className="field-label" id={`${id}-title`}>
        {t('users.trial.title')}
      </span>
      <div className="field-line">
        {!own && (
          <input
            className="input"
            dir="auto"
            aria-label={t('login.username')}
            placeholder={t('login.username')}
            {...fieldOf(username, setUsername)}
          />
        )}
        <input
          className="input input-code"
          dir="ltr"
          aria-label={t('users.trial.path')}
          placeholder="/path"
          {...fieldOf(path, setPath)}
        />
        <Button label={t('users.trial.try')} busy={isBusy} onClick={() => void tryIt()} />
      </div>
      {shown?.verdict && <Verdict verdict={shown.verdict} global={global} own={own} />}
      {shown?.failure !== undefined && <FieldError text={reasonOf(shown.failure)} />}
    </fieldset>
  )
})

function Verdict({ verdict: { allowed, decidedBy }, global, own }: Props & { verdict: RuleVerdict }) {
  const word = t(allowed ? 'users.trial.allowed' : 'users.trial.denied')
  return (
    <p className="trial-verdict" data-verdict={allowed ? 'allow' : 'deny'} role="status">
      <Icon name={allowed ? 'circle-check' : 'alert-circle'} small />
      <span>
        <strong>{word}</strong>{' '}
        {decidedBy ? t(sentences[decidedBy.of], { number: numberOf(decidedBy, { global, own }) }) : none()}
      </span>
    </p>
  )
}

const sentences = { global: 'users.trial.byGlobal', user: 'users.trial.byOwn' } as const
const none = () => t('users.trial.none')

/** The number of the row, from 1: rows in which nothing was typed are not sent. */
function numberOf({ of, index }: NonNullable<RuleVerdict['decidedBy']>, { global, own }: Props): number {
  const drafts = of === 'global' ? global : own
  const rule = drafts && filled(drafts)[index]
  return (rule ? drafts.indexOf(rule) : index) + 1
}

const reasonOf = (failure: unknown) =>
  failure instanceof HttpFailure && failure.status === 404 ? t('users.trial.noUser') : settingsFailureReason(failure)
