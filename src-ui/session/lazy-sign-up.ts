import style from 'holdall:part/session/sign-up.css'
import type { FC } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

type SignUpPart = { SignUpForm: FC; SignUpSwitch: FC<{ isSignUp: boolean; onSwitch: () => void }> }

/** The sign-up, which only servers have where people may make accounts. */
export const signUpPart = new LazyPart<SignUpPart>(async () => {
  const [{ SignUpForm, SignUpSwitch }] = await Promise.all([import('./sign-up-form.tsx'), loadStyle(style)])
  return { SignUpForm, SignUpSwitch }
})
