import { signal } from '@preact/signals-core'
import { slice, type Workspace } from './workspace.ts'

/** Whether the person has the page before them. */
export const presenceSlice = slice('presence', () => ({
  isVisible: signal(false),
  /** How often the person has come back: the page became visible again, or its window got the focus. */
  returns: signal(0),
}))

/** Follows the page until the workspace is disposed. */
export function followPresence(
  workspace: Workspace,
  page: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>,
): void {
  const { isVisible, returns } = workspace.use(presenceSlice)
  const look = () => {
    isVisible.value = document.visibilityState === 'visible'
  }
  const comeBack = () => {
    look()
    if (isVisible.value) returns.value += 1
  }
  look()
  document.addEventListener('visibilitychange', comeBack)
  workspace.onDispose(() => document.removeEventListener('visibilitychange', comeBack))
  workspace.listen(page, 'focus', comeBack)
}
