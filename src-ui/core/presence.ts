import { signal } from '@preact/signals-core'
import { slice, type Workspace } from './workspace.ts'

/** Whether the page is visible, and how often the user has returned to it. */
export const presenceSlice = slice('presence', () => ({
  isVisible: signal(false),
  /** Number of returns: the page became visible again, or its window got the focus again. */
  returns: signal(0),
}))

/** Follows the page until the workspace is disposed. */
export function followPresence(
  workspace: Workspace,
  page: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>,
): void {
  const { isVisible, returns } = workspace.use(presenceSlice)
  let isAway = false
  const goAway = () => {
    isAway = true
  }
  const countReturn = () => {
    if (isAway) returns.value += 1
    isAway = false
  }
  const look = () => {
    isVisible.value = document.visibilityState === 'visible'
    if (isVisible.value) countReturn()
    else goAway()
  }
  look()
  document.addEventListener('visibilitychange', look)
  workspace.onDispose(() => document.removeEventListener('visibilitychange', look))
  workspace.listen(page, 'blur', goAway)
  workspace.listen(page, 'focus', countReturn)
}
