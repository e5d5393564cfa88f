import { useEffect } from 'react'
import { commandTableSlice, isAllowed } from '../core/command.ts'
import { decision } from '../core/location.ts'
import { noticesSlice } from '../core/notices.ts'
import { PartBoundary } from '../core/part-boundary.tsx'
import { tasksSlice } from '../core/tasks.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { shellPart } from './lazy-shell.ts'
import { shellSlice } from './shell.ts'

/** Loads the panel for commands when it is opened first. It closes with the right to it, and when another screen than the files is opened. */
export const ShellHost = view(function ShellHost() {
  const workspace = useWorkspace()
  const { isOpen, show } = workspace.use(shellSlice)
  const isShown = isOpen.value && mayStay(workspace)
  const part = shellPart.value.value
  useEffect(() => {
    if (isShown) load(workspace)
    else show(false)
  }, [workspace, show, isShown])
  if (!isShown || !part) return null
  return (
    <PartBoundary className="shell">
      <part.ShellPanel />
    </PartBoundary>
  )
})

function mayStay(workspace: Workspace): boolean {
  const { value } = decision
  // A redirect is no other screen yet.
  const isInFiles = !('show' in value) || value.show === 'files'
  return isInFiles && isAllowed(workspace, workspace.use(commandTableSlice).get('shell'))
}

function load(workspace: Workspace): void {
  const { show } = workspace.use(shellSlice)
  workspace
    .use(tasksSlice)
    .track({ label: t('app.loading') }, () => shellPart.load())
    .catch(() => {
      show(false)
      const retry = { label: t('action.retry'), run: () => show(true) }
      workspace.use(noticesSlice).fail(t('shell.loadFailed'), t('app.notLoadedText'), retry)
    })
}
