// An old page reloads, or says that there is a new version.
import { untracked } from '@preact/signals-core'
import { t } from '../i18n/t.ts'
import { leaveGuardsSlice } from './leave-guards.ts'
import { type Notices, noticesSlice } from './notices.ts'
import { isOutdated, waitingScreens } from './outdated.ts'
import { overlaysSlice } from './overlay.ts'
import { tasksSlice } from './tasks.ts'
import type { Workspace } from './workspace.ts'

/** Milliseconds after a reload within which the page does not reload by itself again. */
const reloadPause = 60_000

/** Reloads an old page when nothing would be lost, and else says that there is a new version, unless a screen says so or it was closed. */
export function followVersion(workspace: Workspace, page: Pick<Location, 'reload'> = location): void {
  const notices = workspace.use(noticesSlice)
  let isReloading: boolean | undefined
  let notice: number | undefined
  let isClosed = false
  workspace.effect(() => {
    if (!isOutdated.value) return
    const isSaid = waitingScreens.value > 0
    untracked(() => {
      isReloading ??= reloads(workspace, page)
      if (notice !== undefined) {
        isClosed = !notices.list.value.some(({ id }) => id === notice)
        notices.dismiss(notice)
      }
      notice = isReloading || isSaid || isClosed ? undefined : say(notices, page)
    })
  })
}

function reloads(workspace: Workspace, page: Pick<Location, 'reload'>): boolean {
  const mayReload = !wasReloaded() && !wouldLose(workspace)
  if (mayReload) page.reload()
  return mayReload
}

function say(notices: Notices, page: Pick<Location, 'reload'>): number {
  return notices.fail(t('app.newVersion'), t('app.newVersionText'), { label: t('app.reload'), run: () => page.reload() })
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
