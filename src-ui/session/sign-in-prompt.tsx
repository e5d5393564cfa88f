import { type RefObject, useRef, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import { baseURL, pageConfig } from '../api/page-config.ts'
import { isSignInAsked, login, postponeSignIn, user } from '../core/session.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, FieldError } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { view } from '../ui/view.tsx'
import { loginFailureReason } from './login-failure.ts'

/**
 * The sign-in after the end of a session, above other overlays and with the name filled in. Open overlays and typed text stay, and
 * refused calls are sent again. Another user who signs in gets a new workspace.
 */
export const SignInPrompt = view(function SignInPrompt() {
  return isSignInAsked.value ? <OpenPrompt /> : null
})

const OpenPrompt = view(function OpenPrompt() {
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const submit = async () => {
    if (isBusy) return
    // The captcha is only on the page of the sign-in.
    if (pageConfig.ReCaptcha) return location.assign(signInAddress())
    setBusy(true)
    setFailure(undefined)
    try {
      // Without a login page the server identifies the person itself.
      await (pageConfig.LoginPage ? login(textOf(fields, 'username'), textOf(fields, 'password')) : login('', ''))
    } catch (cause) {
      setFailure(cause)
      setBusy(false)
      fieldNamed(fields, 'password')?.select()
    }
  }
  return (
    <Dialog
      title={t('signIn.title')}
      description={t('signIn.text')}
      onClose={postponeSignIn}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button kind="quiet" label={t('signIn.later')} onClick={postponeSignIn} />
          <Button kind="primary" submit busy={isBusy} label={t('login.submit')} />
        </>
      }
    >
      <div className="sign-in-fields" ref={fields}>
        {failure !== undefined && <FieldError text={loginFailureReason(failure)} />}
        {pageConfig.LoginPage && !pageConfig.ReCaptcha && (
          <Credentials isWrong={failure instanceof HttpFailure && failure.status === 403} />
        )}
      </div>
    </Dialog>
  )
})

function Credentials({ isWrong }: { isWrong: boolean }) {
  return (
    <>
      <Field
        label={t('login.username')}
        name="username"
        defaultValue={user.peek()?.username}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
      />
      <PasswordField
        label={t('login.password')}
        name="password"
        autoComplete="current-password"
        invalid={isWrong}
        data-first-focus
      />
    </>
  )
}

const signInAddress = () => `${baseURL}/login?redirect=${encodeURIComponent(location.pathname + location.search)}`

type Fields = RefObject<HTMLElement | null>

const fieldNamed = (fields: Fields, name: string) => fields.current?.querySelector<HTMLInputElement>(`input[name=${name}]`)
const textOf = (fields: Fields, name: string): string => fieldNamed(fields, name)?.value ?? ''
