import { type FormEvent, useId, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { expired, login, refusal } from '../core/session.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Field, FieldError } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { view } from '../ui/view.tsx'
import { signUpPart } from './lazy-sign-up.ts'
import { loginFailureReason } from './login-failure.ts'

/** The form for name and password. The guards in core/routes.ts then open the next screen. */
export const LoginForm = view(function LoginForm() {
  const [failure, setFailure] = useState<unknown>(refusal.value)
  const [busy, setBusy] = useState(false)
  const messageId = useId()
  const [captcha, setCaptcha] = useState('')
  const part = signUpPart.value.value
  const wrong = failure instanceof HttpFailure && failure.status === 403

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = new FormData(event.currentTarget)
    const password = event.currentTarget.elements.namedItem('password')
    setBusy(true)
    try {
      await login(String(form.get('username') ?? ''), String(form.get('password') ?? ''), captcha)
    } catch (cause) {
      setFailure(cause)
      setBusy(false)
      if (password instanceof HTMLInputElement) password.select()
    }
  }

  return (
    <form className="bag-form" onSubmit={submit} noValidate>
      {expired.value && failure === undefined && <Expired />}
      {failure !== undefined && <FieldError id={messageId} text={loginFailureReason(failure)} />}
      {pageConfig.LoginPage && (
        <>
          <Field
            label={t('login.username')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="auto"
            autoFocus
          />
          <PasswordField
            label={t('login.password')}
            name="password"
            autoComplete="current-password"
            problemId={wrong ? messageId : undefined}
          />
          {pageConfig.ReCaptcha && part && <part.Captcha failure={failure} onToken={setCaptcha} />}
        </>
      )}
      <Button kind="primary" wide submit busy={busy} label={t('login.submit')} />
    </form>
  )
})

function Expired() {
  return (
    <p className="notice" role="status">
      <Icon name="info-circle" />
      <span>{t('login.expired')}</span>
    </p>
  )
}
