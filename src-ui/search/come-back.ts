import { type Overlay, overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'

/** Prompts after which the search is shown again. The others may lead to questions, which would wait behind it. */
const prompts: ReadonlySet<Overlay['kind']> = new Set(['delete', 'rename', 'info', 'download'] as Overlay['kind'][])

/** Opens the search again as soon as the prompt that a command has opened over it is closed. */
export function comeBack(workspace: Workspace): void {
  const overlays = workspace.use(overlaysSlice)
  const opened = overlays.current.peek().kind
  if (!prompts.has(opened)) return
  const stop = overlays.current.subscribe(({ kind }) => {
    if (kind === opened) return
    queueMicrotask(() => {
      stop()
      if (kind === 'none' && overlays.current.peek().kind === 'none' && !workspace.signal.aborted)
        overlays.open({ kind: 'search' })
    })
  })
}
