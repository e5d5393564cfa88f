import { readFileSync } from 'node:fs'
import { StartupProblem } from '../base/startup-problem.ts'
import { adminPasswordVariable } from './option-table.ts'
import type { Options } from './options.ts'

/**
 * The first administrator's password as the person who starts the server chose it: to be asked only while there are no users,
 * since afterwards neither counts, and the file may be gone.
 * @throws StartupProblem for a file that cannot be read
 */
export function firstPassword({ adminPassword, adminPasswordFile }: Options): { password: string; option: string } | undefined {
  if (adminPasswordFile !== undefined) {
    return { password: passwordIn(adminPasswordFile), option: `--admin-password-file ${adminPasswordFile}` }
  }
  return adminPassword && { password: adminPassword(), option: adminPasswordVariable }
}

/** The file's text without the line's end that an editor or `echo` leaves. */
function passwordIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupProblem(`--admin-password-file ${file} cannot be read (${reason}): name a file that holds the password.`, {
      cause,
    })
  }
}
