import style from 'holdall:part/shell/shell.css'
import { useEffect } from 'react'
import { commandTableSlice, isAllowed } from '../core/command.ts'
import { lazyPanel } from '../core/lazy-panel.tsx'
import { decision } from '../core/location.ts'
import { noticesSlice } from '../core/notices.ts'
import { PartBoundary } from '../core/part-boundary.tsx'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { shellSlice } from './shell.ts'

/** The panel for commands. It closes with the right to it, and when another screen than the files is opened. */
export const ShellHost = view(function ShellHost() {
  const workspace = useWorkspace()
  const { isOpen, show } = workspace.use(shellSlice)
  const isShown = isOpen.value && mayStay(workspace)
  useEffect(() => {
    if (!isShown) show(false)
  }, [show, isShown])
  if (!isShown) return null
  return (
    <PartBoundary className="shell">
      <ShellPanel />
    </PartBoundary>
  )
})

function mayStay(workspace: Workspace): boolean {
  const { value } = decision
  // A redirect is no other screen yet.
  const isInFiles = !('show' in value) || value.show === 'files'
  return isInFiles && isAllowed(workspace, workspace.use(commandTableSlice).get('shell'))
}

const ShellPanel = lazyPanel(
  async () => (await import('./shell-panel.tsx')).ShellPanel,
  [style],
  (workspace) => {
    const { show } = workspace.use(shellSlice)
    show(false)
    const retry = { label: t('action.retry'), run: () => show(true) }
    workspace.use(noticesSlice).fail(t('shell.loadFailed'), t('app.notLoadedText'), retry)
  },
)
