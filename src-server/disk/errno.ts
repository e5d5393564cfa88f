import { Failure, type FailureCode } from '../base/failure.ts'

/** Of a mount whose server or program does not answer. */
const unreached: readonly [FailureCode, string] = ['busy', 'the file system is not to be reached']

/** The failure for each system error. Other errors are logged and answered as `internal`. */
const meanings: Readonly<Record<string, readonly [FailureCode, string]>> = {
  ENOENT: ['notFound', ''],
  ENOTDIR: ['notFound', ''],
  EEXIST: ['conflict', 'the name is taken'],
  ENOTEMPTY: ['conflict', 'the folder is not empty'],
  EISDIR: ['conflict', 'a folder is in the way'],
  ETXTBSY: ['conflict', 'the file is a running program'],
  EBUSY: ['conflict', 'the file or folder is in use by the system'],
  EACCES: ['forbidden', 'the system does not allow it'],
  EPERM: ['forbidden', 'the system does not allow it'],
  EROFS: ['forbidden', 'the file system is read-only'],
  ENOSPC: ['full', 'no space is left'],
  EDQUOT: ['full', 'the quota is used up'],
  EFBIG: ['full', 'the file system holds no file of this size'],
  EMLINK: ['full', 'the folder holds no more folders'],
  ENAMETOOLONG: ['invalid', 'the name is too long'],
  EINVAL: ['invalid', 'the file system refuses this name'],
  EILSEQ: ['invalid', 'the file system refuses this name'],
  ELOOP: ['notFound', ''],
  EMFILE: ['busy', 'too many files are open'],
  ENFILE: ['busy', 'too many files are open'],
  ENOMEM: ['busy', 'memory is short'],
  ESTALE: unreached,
  ENOTCONN: unreached,
  EHOSTDOWN: unreached,
  ETIMEDOUT: unreached,
}

/** The code of an error of the system, such as 'ENOENT'; undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  const isSystemError = error instanceof Error && 'syscall' in error && 'code' in error
  return isSystemError && typeof error.code === 'string' ? error.code : undefined
}

/** Calls that tell what earlier ones have failed to do. */
const syncs = ['fsync', 'fdatasync', 'close']

/** Whether the system could not say that what was done before is on the disk. */
export function isSyncError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && syncs.includes(String(error.syscall))
}

const shortages = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])

/** Whether the system could not describe an entry: a mount without its server, a broken disk. */
export function isUnanswered(error: unknown): boolean {
  const code = errnoOf(error)
  if (code === undefined || shortages.has(code)) return false
  return meanings[code] === undefined || meanings[code] === unreached || code === 'EACCES'
}

/** The Failure that an error of the system stands for, with it as the cause; any other error as it is. */
export function failureOf(error: unknown): unknown {
  const meaning = meanings[errnoOf(error) ?? '']
  return meaning ? new Failure(meaning[0], meaning[1], { cause: error }) : error
}

/** Runs a system call and converts its error into a Failure. */
export async function asFailure<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw failureOf(error)
  }
}
