// An upload queue whose transport and clock the test controls, and uploads for it.
import type { Refusal } from '../../src-server/contract/refusals.ts'
import type { Ended, Upload } from '../../src-ui/uploads/upload-jobs.ts'
import { UploadQueue } from '../../src-ui/uploads/upload-queue.ts'

const bytes = (size: number) => new Blob([new Uint8Array(size)])
export const upload = (name: string, size = 10): Upload => ({ path: `/${name}`, into: '/', file: bytes(size) })
export const many = (count: number, size = 10) => Array.from({ length: count }, (_, index) => upload(`file ${index}`, size))

type Sent = {
  path: string
  overwrite: boolean
  isFolder: boolean
  aborted: () => boolean
  progress: (sent: number) => void
  kept: (bytes: number) => void
  succeed: () => Promise<void>
  fail: (status: number, message?: string, refusal?: Refusal) => Promise<void>
}

/** A queue whose transport and clock the test controls. */
export function startQueue() {
  const sent: Sent[] = []
  const ends: Ended[] = []
  const alarms: { at: number; work: () => void }[] = []
  let time = 0
  let changes = 0
  let losses = 0
  const removed: string[] = []
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  const queue = new UploadQueue(
    (job, { progress, kept, signal }) =>
      new Promise<void>((resolve, reject) => {
        const { path, overwrite, file } = job
        const fail = (status: number, message = '', refusal?: Refusal) => {
          reject({ status, message, refusal })
          return settled()
        }
        const succeed = () => {
          resolve()
          return settled()
        }
        sent.push({ path, overwrite, isFolder: !file, aborted: () => signal.aborted, progress, kept, succeed, fail })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
    { now: () => time, timeout: (work, delay) => alarms.push({ at: time + delay, work }) },
    {
      changed: () => changes++,
      lost: () => losses++,
      advanced: () => {},
      finished: () => {},
      removed: (job) => removed.push(job.path),
      ended: (result) => ends.push(result),
    },
  )
  return {
    queue,
    sent,
    ends,
    changes: () => changes,
    losses: () => losses,
    removed,
    pass(milliseconds: number) {
      time += milliseconds
      for (const alarm of alarms.splice(0)) {
        if (alarm.at <= time) alarm.work()
        else alarms.push(alarm)
      }
    },
    phases: () => queue.jobs.map((job) => job.phase),
    idOf: (path: string) => queue.jobs.find((job) => job.path === path)?.id ?? -1,
  }
}
