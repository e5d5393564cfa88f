import style from 'holdall:part/editor/reading.css'
import type { FC } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'
import type { TextDocument } from './text-document.ts'

/** The views of documents and tables. */
export const readingPart = new LazyPart<{ ReadingView: FC<{ document: TextDocument }> }>(async () => {
  const [{ ReadingView }] = await Promise.all([import('./reading-view.tsx'), loadStyle(style)])
  return { ReadingView }
})
