// An old page reloads, or says that there is a new version.
import { untracked } from '@preact/signals-core'
import { t } from '../i18n/t.ts'
import { leaveGuardsSlice } from './leave-guards.ts'
import { noticesSlice } from './notices.ts'
import { isOutdated } from './outdated.ts'
import { overlaysSlice } from './overlay.ts'
import { tasksSlice } from './tasks.ts'
import type { Workspace } from './workspace.ts'

/** Milliseconds after a reload within which the page does not reload by itself again. */
const reloadPause = 60_000

/** Reloads an old page when nothing would be lost, and else says that there is a new version. */
export function followVersion(workspace: Workspace, page: Pick<Location, 'reload'> = location): void {
  workspace.effect(() => {
    if (isOutdated.value) untracked(() => renewPage(workspace, page))
  })
}

function renewPage(workspace: Workspace, page: Pick<Location, 'reload'>): void {
  if (!wasReloaded() && !wouldLose(workspace)) {
    page.reload()
    return
  }
  const reload = { label: t('app.reload'), run: () => page.reload() }
  workspace.use(noticesSlice).fail(t('app.newVersion'), t('app.newVersionText'), reload)
}

function wasReloaded(): boolean {
  const [start] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return start?.type === 'reload' && performance.now() < reloadPause
}

function wouldLose(workspace: Workspace): boolean {
  const isTyping = typeof document !== 'undefined' && document.activeElement?.matches('input, textarea, [contenteditable=true]')
  const isOpen = workspace.use(overlaysSlice).current.peek().kind !== 'none'
  const isBusy = workspace.use(tasksSlice).current.peek() !== undefined
  return isTyping || isOpen || isBusy || workspace.use(leaveGuardsSlice).wouldLose()
}
