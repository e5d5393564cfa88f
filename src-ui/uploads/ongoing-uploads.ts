// Tells which uploads go on, so that Undo can end them.
import { ongoingSlice } from '../core/own-acts.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { isFinished, unfinished } from './upload-jobs.ts'
import { UploadSpeeds } from './upload-speeds.ts'
import type { Uploads, UploadsState } from './uploads.ts'
import { uploadsSlice } from './uploads-slice.ts'

/** `Uploading 3 of 10` */
export function headingOf(totals: UploadsState['totals']): string {
  const finished = totals.done + totals.failed + totals.skipped
  // While a drop is still being read, all uploads known so far may be done.
  const total = finished + unfinished(totals)
  return t('uploads.heading', { number: Math.min(finished + 1, total), total })
}

/** Each drop is ended by itself. The panel shows how fast they are. */
export function followUploads(workspace: Workspace): void {
  const uploads = workspace.use(uploadsSlice)
  uploads.measureBy(new UploadSpeeds())
  const tell = () => {
    const title = headingOf(uploads.state.peek().totals)
    return uploads.openActs().map((key) => ({ key, title, stop: () => stopAct(uploads, key) }))
  }
  workspace.use(ongoingSlice).add(tell)
}

/** Bytes of a file that may be on their way: so little of it is left that the server may have it when it is aborted. */
const mostOnTheWay = 1 << 18
/** The most milliseconds for which what is on its way is waited for: a connection may be dead without a sign. */
const longestWait = 5000

/** Ends a drop. What has arrived stays, and what the server may have by now is waited for: it is named after its last byte. */
export async function stopAct(uploads: Uploads, act: string): Promise<void> {
  const open = uploads.endAct(act)
  const arriving = open.filter(({ phase, size, loaded }) => phase === 'sending' && size - loaded <= mostOnTheWay)
  for (const job of open) if (!arriving.includes(job)) uploads.cancel(job.id)
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = uploads.state.subscribe(() => {
    if (arriving.every(({ phase }) => phase !== 'sending')) resolve()
  })
  const timer = setTimeout(resolve, longestWait)
  await promise
  clearTimeout(timer)
  end()
  for (const job of arriving) if (!isFinished(job)) uploads.cancel(job.id)
}
