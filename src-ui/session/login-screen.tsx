import 'holdall:words/later'
import { useEffect, useState } from 'react'
import { pageConfig } from '../api/page-config.ts'
import { Wordmark } from '../core/brand.tsx'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { signUpPart } from './lazy-sign-up.ts'
import { LoginForm } from './login-form.tsx'

/** The login screen, with the sign-up in its place where people may make accounts. */
export const LoginScreen = view(function LoginScreen() {
  const [isSignUp, setSignUp] = useState(asksForSignUp)
  const part = signUpPart.value.value
  useEffect(() => {
    if (isOfOtherPage) return location.reload()
    // The sign-in works without it.
    if (pageConfig.Signup || pageConfig.ReCaptcha) void signUpPart.load().catch(() => undefined)
  }, [])
  return (
    <main className="login" id="main" tabIndex={-1}>
      <div className="login-middle">
        <div className="bag">
          <svg className="bag-handle" viewBox="0 0 132 52" aria-hidden="true">
            <path d="M24 52V37a34 34 0 0 1 34-34h16a34 34 0 0 1 34 34v15" />
          </svg>
          <div className={`bag-card${isNamed ? ' is-named' : ''}`}>
            <Wordmark />
            {isNamed && (
              <p className="login-name">
                <bdi>{pageConfig.Name}</bdi>
              </p>
            )}
            {isOfOtherPage ? null : isSignUp && part ? (
              <part.SignUpForm />
            ) : (
              <>
                <div className="bag-title">
                  <h1>{t('login.title')}</h1>
                </div>
                <LoginForm />
              </>
            )}
            {pageConfig.Signup && part && <part.SignUpSwitch isSignUp={isSignUp} onSwitch={() => setSignUp(!isSignUp)} />}
          </div>
        </div>
      </div>
      <footer className="login-foot">{!isNamed && <span>{`Holdall ${pageConfig.Version}`.trim()}</span>}</footer>
    </main>
  )
})

/**
 * A policy belongs to a document, and only that of the sign-in allows the host of the captcha. In a document of another page no form is
 * drawn before it is loaded anew: what a person has typed would be lost.
 */
const isOfOtherPage = pageConfig.ReCaptcha && pageConfig.ReCaptchaHost === ''

const isNamed = pageConfig.Name !== '' && pageConfig.Name !== 'Holdall'

/** Whether the address asks for the sign-up. */
const asksForSignUp = () => pageConfig.Signup && new URLSearchParams(location.search).has('signup')
