import { t } from '../i18n/t.ts'
import { type Command, selectionTarget } from './command.ts'
import { isSignedOut } from './failure-reason.ts'
import { noticesSlice } from './notices.ts'
import type { Workspace } from './workspace.ts'

/**
 * Runs a command; a failure is reported in an error notice that names the command. Its id is told by the event `command` of the window,
 * so that tests know what has run.
 */
export async function run(workspace: Workspace, command: Command, target = selectionTarget(workspace)): Promise<void> {
  globalThis.dispatchEvent?.(new CustomEvent('command', { detail: command.id }))
  try {
    await command.run(workspace, target)
  } catch (failure) {
    if (isSignedOut(failure)) return
    const reason = failure instanceof Error ? failure.message : String(failure)
    workspace.use(noticesSlice).fail(t('error.command', { command: t(command.label) }), reason)
  }
}
