import { t } from '../i18n/t.ts'
import { type Command, commandTableSlice, selectionTarget } from './command.ts'
import { isSignedOut } from './failure-reason.ts'
import { noticesSlice } from './notices.ts'
import { useWorkspace } from './use-workspace.ts'
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

/** What runs a command of the table, by its id. */
export function useRun(): (id: string) => void {
  const workspace = useWorkspace()
  return (id) => void run(workspace, workspace.use(commandTableSlice).get(id))
}
