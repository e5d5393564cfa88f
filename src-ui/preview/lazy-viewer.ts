import style from 'holdall:part/preview/viewer.css'
import type { FC } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

/** The viewer of files, which the first page does not need. */
export const viewerPart = new LazyPart<{ Viewer: FC; QuickLook: FC }>(async () => {
  const [{ QuickLook, Viewer }] = await Promise.all([import('./viewer-part.ts'), loadStyle(style)])
  return { QuickLook, Viewer }
})
