import 'holdall:words/later'
import { type FormEvent, useRef, useState } from 'react'
import { call, HttpFailure } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { saidBy } from '../core/failure-reason.ts'
import { login } from '../core/session.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Field, FieldError, useRefusedFocus } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { Captcha } from './captcha.tsx'
import { loginFailureReason } from './login-failure.ts'

export { Captcha } from './captcha.tsx'

const empty = { username: '', password: '', again: '' }
type Texts = typeof empty
type Problems = Partial<Record<keyof Texts | 'other', string>>

/** Makes an account and signs in with it; the guards in core/routes.ts then open the wanted page. */
export const SignUpForm = view(function SignUpForm() {
  const [texts, setTexts] = useState(empty)
  const [problems, setProblems] = useState<Problems>({})
  const [isBusy, setBusy] = useState(false)
  const [captcha, setCaptcha] = useState('')
  /** The name of the account that was made, when only the sign-in failed. */
  const made = useRef<string>(undefined)
  const form = useRefusedFocus<HTMLFormElement>(problems)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    if (texts.password !== texts.again) return setProblems({ again: t('signUp.different') })
    const { username, password } = texts
    setProblems({})
    setBusy(true)
    try {
      if (made.current !== username) await call('POST /api/signup', { body: { username, password, recaptcha: captcha } })
      made.current = username
      await login(username, password, captcha)
    } catch (failure) {
      setProblems(made.current === username ? { other: loginFailureReason(failure) } : problemsOf(failure))
      setBusy(false)
    }
  }
  const fieldOf = (name: keyof Texts) => ({
    name,
    value: texts[name],
    error: problems[name],
    onChange: (event: { target: HTMLInputElement }) => setTexts({ ...texts, [name]: event.target.value }),
  })
  const match = texts.again === '' ? undefined : texts.password === texts.again ? 'same' : 'different'
  return (
    <>
      <div className="bag-title">
        <h1>{t('signUp.title')}</h1>
        {pageConfig.Name !== 'Holdall' && <p>{t('signUp.on', { name: isolate(pageConfig.Name) })}</p>}
      </div>
      <form className="bag-form" ref={form} onSubmit={(event) => void submit(event)} noValidate>
        {problems.other && <FieldError text={problems.other} />}
        <Field
          {...fieldOf('username')}
          label={t('login.username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          autoFocus
        />
        <Field
          {...fieldOf('password')}
          label={t('login.password')}
          hint={t('signUp.length')}
          type="password"
          autoComplete="new-password"
          data-match={match}
        />
        <Field {...fieldOf('again')} label={t('signUp.again')} type="password" autoComplete="new-password" data-match={match} />
        {match === 'same' && (
          <p className="field-error field-success" role="status">
            <Icon name="circle-check" small />
            <span>{t('settings.password.same')}</span>
          </p>
        )}
        {pageConfig.ReCaptcha && <Captcha failure={problems} onToken={setCaptcha} />}
        <Button kind="primary" wide submit busy={isBusy} label={t('signUp.submit')} />
      </form>
    </>
  )
})

/** Leads from the sign-in to the sign-up and back. */
export const SignUpSwitch = view(function SignUpSwitch({ isSignUp, onSwitch }: { isSignUp: boolean; onSwitch: () => void }) {
  return (
    <p className="bag-switch">
      {t(isSignUp ? 'signUp.hasAccount' : 'signUp.noAccount')}{' '}
      <button type="button" className="text-link" onClick={onSwitch}>
        {t(isSignUp ? 'login.submit' : 'signUp.submit')}
      </button>
    </p>
  )
})

/** Why no account was made, beside the field that it is about. */
function problemsOf(failure: unknown): Problems {
  if (!(failure instanceof HttpFailure)) return { other: loginFailureReason(failure) }
  if (failure.status === 409) return { username: t('users.taken') }
  // Without a cause it is the captcha that was not solved.
  if (failure.status === 403 && failure.reason === undefined) return { other: t('signUp.captcha') }
  if (failure.status === 403 || failure.status === 405) return { other: t('signUp.closed') }
  if (failure.status !== 400) return { other: loginFailureReason(failure) }
  return { [failure.refusal?.field === 'password' ? 'password' : 'username']: saidBy(failure) }
}
