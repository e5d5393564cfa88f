import style from 'holdall:part/shell/shell.css'
import type { FC } from 'react'
import { LazyPart } from '../core/lazy-part.ts'
import { loadStyle } from '../core/lazy-style.ts'

/** The panel for commands with its terminal, which few people may open. */
export const shellPart = new LazyPart<{ ShellPanel: FC }>(async () => {
  const [{ ShellPanel }] = await Promise.all([import('./shell-panel.tsx'), loadStyle(style)])
  return { ShellPanel }
})
