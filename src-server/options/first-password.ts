import { readFileSync } from 'node:fs'
import { StartupError } from '../base/startup-error.ts'
import { adminPasswordVariable } from './option-table.ts'
import type { Options } from './options.ts'

/**
 * The first administrator's password, from the file or the variable, or else its hash as File Browser takes it. Call this only while there are no users: afterwards the
 * options are ignored, and the file may have been deleted.
 * @throws StartupError for a file that cannot be read
 */
export function firstPassword({
  adminPassword,
  adminPasswordFile,
  firstPassword: given,
}: Options): ({ option: string } & ({ password: string } | { hash: string })) | undefined {
  if (adminPasswordFile !== undefined) {
    return { password: passwordIn(adminPasswordFile), option: `--admin-password-file ${adminPasswordFile}` }
  }
  if (adminPassword !== undefined) return { password: adminPassword(), option: adminPasswordVariable }
  return given && { hash: given.hash(), option: given.from }
}

/** The file's text without the line break that an editor or `echo` adds. */
function passwordIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`--admin-password-file ${file} cannot be read (${reason}): name a file that holds the password.`, {
      cause,
    })
  }
}
