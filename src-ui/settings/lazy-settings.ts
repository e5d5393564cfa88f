import style from 'holdall:part/settings/settings.css'
import type { FC } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

/** The settings, which the first page does not need. */
export const settingsPart = new LazyPart<{ SettingsScreen: FC }>(async () => {
  const [{ SettingsScreen }] = await Promise.all([import('./settings-screen.tsx'), loadStyle(style)])
  return { SettingsScreen }
})
