// Only the prompt needs this: the first page does not load it.
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { uploadsSlice } from './uploads-slice.ts'

/** Closes the question about names that are taken, which stops the drops that it is about, and says how many files that leaves out. */
export function closeQuestion(workspace: Workspace): void {
  const { state, conflicts } = workspace.use(uploadsSlice)
  const drops = new Set(conflicts.peek().map(({ drop }) => drop))
  const stopped = state
    .peek()
    .jobs.filter(({ drop, file, phase }) => drop && file && drops.has(drop) && (phase === 'waiting' || phase === 'asking'))
  workspace.use(overlaysSlice).close('uploadConflicts')
  if (stopped.length > 0) workspace.use(noticesSlice).fail(t('uploads.failed', { count: stopped.length }))
}
