import style from 'holdall:part/activity/activity.css'
import type { FC } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

/** The activity, which only administrators need. */
export const activityPart = new LazyPart<{ ActivityScreen: FC }>(async () => {
  const [{ ActivityScreen }] = await Promise.all([import('./activity-screen.tsx'), loadStyle(style)])
  return { ActivityScreen }
})
