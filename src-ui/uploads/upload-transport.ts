import { call, HttpFailure } from '../api/http.ts'
import { sendFile } from '../api/send-file.ts'
import { token } from '../core/session.ts'
import { unreadable } from './failure-cause.ts'
import type { UploadJob } from './upload-jobs.ts'

type Sending = { progress: (sent: number) => void; signal: AbortSignal }

/** Sends a file, or makes a folder. @throws HttpFailure */
export async function sendUpload(job: UploadJob, on: Sending): Promise<void> {
  const before = token.value
  try {
    await sendOnce(job, on)
  } catch (failure) {
    // The refused token may have been replaced meanwhile.
    const isOutdated = failure instanceof HttpFailure && failure.status === 401 && token.value !== undefined
    if (!isOutdated || token.value === before) throw failure
    await sendOnce(job, on)
  }
}

async function sendOnce(job: UploadJob, { progress, signal }: Sending): Promise<void> {
  const { path, file, overwrite } = job
  if (file) await sendFile({ path, file, override: overwrite, onProgress: progress, signal }).catch(blameFile(file))
  else await call('POST /api/resources/*', { path: `${path}/`, signal })
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
