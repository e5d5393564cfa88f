import style from 'holdall:part/shares/share-dialog.css'
import type { FC } from 'react'
import type { Entry } from '../core/entries.ts'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

/** The dialog about the public links of an entry, which few need at once. */
export const sharePart = new LazyPart<{ ShareDialog: FC<{ entry: Entry }> }>(async () => {
  const [{ ShareDialog }] = await Promise.all([import('./share-dialog.tsx'), loadStyle(style)])
  return { ShareDialog }
})
