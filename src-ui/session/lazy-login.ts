import style from 'holdall:part/session/login.css'
import type { FC } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

/** The login screen, which a signed-in person does not need. */
export const loginPart = new LazyPart<{ LoginScreen: FC }>(async () => {
  const [{ LoginScreen }] = await Promise.all([import('./login-screen.tsx'), loadStyle(style)])
  return { LoginScreen }
})
