import { untracked } from '@preact/signals-core'
import { entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { presentItems } from '../core/present-items.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { reportGone } from './report.ts'

/** Closes the dialog of a move or copy when somebody else has renamed, moved or deleted all that it is about. */
export function endGoneTransfer(workspace: Workspace): void {
  const overlays = workspace.use(overlaysSlice)
  const entryView = workspace.use(entryViewSlice)
  workspace.effect(() => {
    const { value } = overlays.current
    if ((value.kind !== 'move' && value.kind !== 'copy') || presentItems(entryView, value.items).length > 0) return
    const { kind, items } = value
    untracked(() => {
      overlays.close(kind)
      reportGone(workspace, t(kind === 'move' ? 'transfer.notMoved' : 'transfer.notCopied', { count: items.length }), items)
    })
  })
}
