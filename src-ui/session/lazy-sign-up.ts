import style from 'holdall:part/session/sign-up.css'
import type { FC } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

type SignUpPart = {
  SignUpForm: FC
  SignUpSwitch: FC<{ isSignUp: boolean; onSwitch: () => void }>
  Captcha: FC<{ failure: unknown; onToken: (token: string) => void }>
}

/** Sign-up and captcha, which not every server has. */
export const signUpPart = new LazyPart<SignUpPart>(async () => {
  const [{ Captcha, SignUpForm, SignUpSwitch }] = await Promise.all([import('./sign-up-form.tsx'), loadStyle(style)])
  return { Captcha, SignUpForm, SignUpSwitch }
})
