import { HttpFailure } from '../api/http.ts'
import { t } from '../i18n/t.ts'
import { type Command, selectionTarget } from './command.ts'
import { noticesSlice } from './notices.ts'
import { overlaysSlice } from './overlay.ts'
import { locked } from './session.ts'
import type { Workspace } from './workspace.ts'

/** Runs a command; a failure is reported in an error notice that names the command. */
export async function run(workspace: Workspace, command: Command, target = selectionTarget(workspace)): Promise<void> {
  try {
    await command.run(workspace, target)
  } catch (failure) {
    // The login screen reports the end of a session; where the page stays, the password prompt does.
    if (failure instanceof HttpFailure && failure.status === 401) {
      if (locked.value) workspace.use(overlaysSlice).open({ kind: 'password' })
      return
    }
    const reason = failure instanceof Error ? failure.message : String(failure)
    workspace.use(noticesSlice).fail(t('error.command', { command: t(command.label) }), reason)
  }
}
