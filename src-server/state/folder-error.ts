import { dirname } from 'node:path'
import { StartupError } from '../base/startup-error.ts'

/** SQLITE_READONLY and SQLITE_CANTOPEN: the only errors of SQLite when a folder cannot be written. */
const sqliteRefusals = [8, 14]

/** The error for a state file whose folder cannot be used. */
export function folderError(stateFile: string, cause: unknown): StartupError {
  if (isRefusal(cause)) {
    return new StartupError(
      `${dirname(stateFile)} cannot be written: name a file in a folder that can be written with --database.`,
      {
        cause,
      },
    )
  }
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StartupError(`${stateFile} cannot be used as the state file (${reason}): name another with --database.`, { cause })
}

function isRefusal(error: unknown) {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return ['EACCES', 'EPERM', 'EROFS'].includes(String(code)) || sqliteRefusals.includes(Number(errcode))
}
