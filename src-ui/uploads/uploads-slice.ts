import { call, HttpFailure, unreached } from '../api/http.ts'
import { sendFile } from '../api/send-file.ts'
import { uploadConnectionsSlice } from '../core/connections.ts'
import { entryViewSlice, noteSelection } from '../core/entry-view.ts'
import { leaveGuardsSlice } from '../core/leave-guards.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { reportedSlice } from '../core/own-acts.ts'
import { pageSlice } from '../core/page.ts'
import { nameOf } from '../core/paths.ts'
import { locked, token } from '../core/session.ts'
import { tasksSlice } from '../core/tasks.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Arrivals } from './arrivals.ts'
import { unreadable } from './failure-cause.ts'
import { isResumable, type Sending, type UploadJob } from './upload-jobs.ts'
import { type UploadPage, Uploads } from './uploads.ts'

/** The uploads of a person. */
export const uploadsSlice = slice('uploads', (workspace) => {
  const uploads = new Uploads(pageOf(workspace), (job, on) => sendUpload(workspace, job, on), locked)
  const { isUploading, progress, state } = uploads
  const guard = { isActive: isUploading, mustStay: () => uploads.wouldLose() }
  workspace.onDispose(workspace.use(leaveGuardsSlice).add(guard))
  workspace.effect(() => {
    workspace.use(pageSlice).progress.value = progress.value
  })
  workspace.effect(() => {
    workspace.use(uploadConnectionsSlice).value = state.value.totals.sending
  })
  return uploads
})

function pageOf(workspace: Workspace): UploadPage {
  const arrivals = new Arrivals(workspace)
  return {
    life: workspace,
    notices: workspace.use(noticesSlice),
    existingIn(folder) {
      // Where it cannot be loaded nothing counts as taken: the server refuses to replace anything then.
      const names = import('../operations/existing-names.ts').then(
        ({ ExistingNames }) => new ExistingNames(workspace, folder),
        () => undefined,
      )
      const label = t('uploads.looking', { folder: isolate(nameOf(folder) || t('sidebar.myFiles')) })
      return (paths) => workspace.use(tasksSlice).track(async () => (await names)?.at(paths) ?? new Map(), label)
    },
    find: (path) =>
      call('GET /api/resources/*', { path, query: { content: 'false' }, signal: workspace.signal }).catch(() => undefined),
    ask: (onClose) => workspace.use(overlaysSlice).ask({ kind: 'uploadConflicts' }, onClose),
    noteArrival(folder) {
      // Where the server reports every change, the uploaded file is shown without another listing.
      if (!workspace.use(entryViewSlice).isLive.peek()) arrivals.note(folder)
    },
    removed(job) {
      void piecesPart?.then(
        ({ unfinishedSlice }) => workspace.use(unfinishedSlice).left(job),
        () => {},
      )
    },
    ended(done, notice) {
      arrivals.clear()
      if (done.length === 0) return
      // Those of several acts are not undone by one button.
      const [act, ...others] = new Set(done.map((job) => job.act))
      if (notice !== undefined) workspace.use(reportedSlice).value = { act: others.length > 0 ? undefined : act, notice }
      const entryView = workspace.use(entryViewSlice)
      const shown = () => done.filter(({ into }) => into === entryView.currentPath.value).map(({ path }) => path)
      const hasChosen = noteSelection(entryView)
      void entryView.refresh().then(() => hasChosen() || entryView.showNew(shown()))
    },
  }
}

/** Sends a file, or makes a folder. @throws HttpFailure */
async function sendUpload(workspace: Workspace, job: UploadJob, on: Sending): Promise<void> {
  const before = token.value
  try {
    await sendOnce(workspace, job, on)
  } catch (failure) {
    // The refused token may have been replaced meanwhile.
    const isOutdated = failure instanceof HttpFailure && failure.status === 401 && token.value !== undefined
    if (!isOutdated || token.value === before) throw failure
    await sendOnce(workspace, job, on)
  }
}

async function sendOnce(workspace: Workspace, job: UploadJob, on: Sending): Promise<void> {
  const { path, file, overwrite, act } = job
  const { progress, signal } = on
  if (file && isResumable(job)) await sendInPieces(workspace, job, on).catch(blameFile(file))
  else if (file) await sendFile({ path, file, override: overwrite, act, onProgress: progress, signal }).catch(blameFile(file))
  else await call('POST /api/resources/*', { path: `${path}/`, act, signal })
}

let piecesPart: Promise<typeof import('./unfinished.ts')> | undefined

async function sendInPieces(workspace: Workspace, job: UploadJob, on: Sending): Promise<void> {
  piecesPart ??= import('./unfinished.ts').catch(() => {
    // It goes on when the part can be loaded.
    piecesPart = undefined
    throw unreached()
  })
  await workspace.use((await piecesPart).resumableSlice).send(job, on)
}

// A file that was moved or changed since it was chosen fails as a lost connection does: sending it again would be in vain.
const blameFile = (file: Blob) => async (failure: unknown) => {
  const isLost = failure instanceof HttpFailure && failure.status === 0
  const isReadable = async () =>
    (await file
      .slice(0, 1)
      .arrayBuffer()
      .catch(() => undefined)) !== undefined
  if (!isLost || (await isReadable())) throw failure
  throw new HttpFailure(unreadable, 'The file could not be read.')
}
