/** Where an upload stands. */
export type Phase = 'waiting' | 'sending' | 'asking' | 'done' | 'failed' | 'skipped'

/** What is to be uploaded: a file, or a folder to be made. */
export type Upload = {
  /** Where it goes, decoded and without a slash at its end. */
  path: string
  /** The folder that it was dropped into, or chosen for. */
  into: string
  /** A folder has none. */
  file: Blob | undefined
  /** What stands there already, when the page knows. */
  existing?: Existing | undefined
  /** What came together has one number: an answer for all that remain counts for what of it is still to be read. */
  drop?: number | undefined
}

export type Existing = { size: number; modified: string; isDir: boolean }

/** One upload of the queue. Changed in place by the queue alone: ten thousand of them are no ten thousand signals. */
export type UploadJob = {
  readonly id: number
  readonly into: string
  /** As it was dropped; `path` differs once both are kept. */
  readonly wanted: string
  path: string
  readonly file: Blob | undefined
  /** Bytes. */
  readonly size: number
  phase: Phase
  /** Bytes that have left. */
  loaded: number
  overwrite: boolean
  /** How many names were tried to keep both: 0 is the wanted one. */
  copies: number
  existing: Existing | undefined
  failure: UploadFailure | undefined
  drop: number | undefined
}

/** Why it failed: the server's status and sentence; status 0 when it was not reached. */
export type UploadFailure = { status: number; message: string }

/** Nothing more will happen to it by itself. */
export const isFinished = ({ phase }: UploadJob): boolean => phase === 'done' || phase === 'failed' || phase === 'skipped'

export function makeJob(id: number, { path, into, file, existing, drop }: Upload): UploadJob {
  // A folder that is there already is what was wanted.
  const phase = existing && file ? 'asking' : 'waiting'
  const start = { loaded: 0, overwrite: false, copies: 0, failure: undefined } as const
  return { id, into, wanted: path, path, file, size: file?.size ?? 0, phase, existing, drop, ...start }
}

/** `/a/b.txt` is `/a/b(1).txt` the first time both are kept. The ending is what follows the last dot. */
export function copyName(path: string, number: number): string {
  const start = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  const end = dot < start ? path.length : dot
  return `${path.slice(0, end)}(${number})${path.slice(end)}`
}

/** Why an upload failed, from whatever its transport has thrown. */
export function failureOf(failure: unknown): UploadFailure {
  const { status, message } = (failure ?? {}) as Partial<UploadFailure>
  return { status: typeof status === 'number' ? status : 0, message: typeof message === 'string' ? message : String(failure) }
}
