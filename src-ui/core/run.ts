import { HttpFailure } from '../api/http.ts'
import { t } from '../i18n/t.ts'
import type { Command } from './command.ts'
import { fail } from './notices.ts'
import { open } from './overlay.ts'
import { locked } from './session.ts'

/** Runs a command; what it throws is said in an error notice that names the command. */
export async function run(command: Command): Promise<void> {
  try {
    await command.run()
  } catch (failure) {
    // The session's end is said by the login screen or, where the page stays, by the question for the password.
    if (failure instanceof HttpFailure && failure.status === 401) {
      if (locked.value) open({ kind: 'password' })
      return
    }
    fail(t('error.command', { command: t(command.label) }), failure instanceof Error ? failure.message : String(failure))
  }
}
