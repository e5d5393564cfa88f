import editorStyle from 'holdall:part/editor/editor.css'
import viewerStyle from 'holdall:part/preview/viewer.css'
import type { FC, ReactNode } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

/** The editor of texts, which the first page does not need. Documents that are read have the header of the preview. */
export const editorPart = new LazyPart<{ EditorScreen: FC<{ path: string; breadcrumbs: ReactNode }> }>(async () => {
  const [{ EditorScreen }] = await Promise.all([import('./editor-screen.tsx'), loadStyle(viewerStyle), loadStyle(editorStyle)])
  return { EditorScreen }
})
