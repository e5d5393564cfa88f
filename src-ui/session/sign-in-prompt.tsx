import { HttpFailure } from '../api/http.ts'
import { baseURL, pageConfig } from '../api/page-config.ts'
import { isSignInAsked, login, postponeSignIn, user } from '../core/session.ts'
import { t } from '../i18n/t.ts'
import { Field } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { view } from '../ui/view.tsx'
import { loginFailureReason } from './login-failure.ts'
import { PasswordPrompt } from './password-prompt.tsx'

/**
 * The sign-in after the end of a session, above other overlays and with the name filled in. Open overlays and typed text stay, and
 * refused calls are sent again. Another user who signs in gets a new workspace.
 */
export const SignInPrompt = view(function SignInPrompt() {
  return isSignInAsked.value ? <OpenPrompt /> : null
})

const OpenPrompt = view(function OpenPrompt() {
  return (
    <PasswordPrompt
      title={t('signIn.title')}
      description={t('signIn.text')}
      dismiss={t('signIn.later')}
      submit={t('login.submit')}
      onClose={postponeSignIn}
      attempt={signIn}
      reason={loginFailureReason}
    >
      {(failure, messageId) =>
        pageConfig.LoginPage &&
        !pageConfig.ReCaptcha && (
          <Credentials problemId={failure instanceof HttpFailure && failure.status === 403 ? messageId : undefined} />
        )
      }
    </PasswordPrompt>
  )
})

async function signIn(textOf: (name: string) => string): Promise<void> {
  // The captcha is only on the page of the sign-in. The prompt stays until that page is shown.
  if (pageConfig.ReCaptcha) return leaveForSignIn()
  // Without a login page the server identifies the person itself.
  await (pageConfig.LoginPage ? login(textOf('username'), textOf('password')) : login('', ''))
}

function Credentials({ problemId }: { problemId: string | undefined }) {
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
        problemId={problemId}
        data-first-focus
      />
    </>
  )
}

const leaveForSignIn = () =>
  location.assign(`${baseURL}/login?redirect=${encodeURIComponent(location.pathname + location.search)}`)
