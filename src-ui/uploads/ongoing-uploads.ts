// Tells which uploads go on, so that Undo can end them.
import { ongoingSlice } from '../core/own-acts.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { unfinished } from './upload-jobs.ts'
import type { UploadsState } from './uploads.ts'
import { uploadsSlice } from './uploads-slice.ts'

/** `Uploading 3 of 10` */
export function headingOf(totals: UploadsState['totals']): string {
  const finished = totals.done + totals.failed + totals.skipped
  // While a drop is still being read, all uploads known so far may be done.
  const total = finished + unfinished(totals)
  return t('uploads.heading', { number: Math.min(finished + 1, total), total })
}

/** Each drop is ended by itself. */
export function followUploads(workspace: Workspace): void {
  const uploads = workspace.use(uploadsSlice)
  const tell = () => {
    const title = headingOf(uploads.state.peek().totals)
    return uploads.openActs().map((key) => ({ key, title, stop: async () => uploads.stopAct(key) }))
  }
  workspace.use(ongoingSlice).add(tell)
}
