import style from 'holdall:part/settings/global.css'
import type { FC } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

/** The settings of the server, which only administrators need. */
export const globalPart = new LazyPart<{ GlobalScreen: FC }>(async () => {
  const [{ GlobalScreen }] = await Promise.all([import('./global-screen.tsx'), loadStyle(style)])
  return { GlobalScreen }
})
