import { signal } from '@preact/signals-core'
import { useEffect, useState } from 'react'
import { leaveGuardsSlice } from './leave-guards.ts'
import { overlaysSlice } from './overlay.ts'
import { useWorkspace } from './use-workspace.ts'

declare module './overlay.ts' {
  interface OverlayKinds {
    /** Asks before a form is left with changes that are not saved. */
    leaveForm: { leave: () => void }
  }
}

/**
 * Keeps the person on a form that has unsaved changes: the page asks before another screen, the browser before the page is left.
 * @returns what lets the form be left from now on
 */
export function useUnsavedForm(isChanged: boolean): () => void {
  const workspace = useWorkspace()
  const [isActive] = useState(() => signal(false))
  useEffect(() => {
    isActive.value = isChanged
  }, [isActive, isChanged])
  useEffect(
    () =>
      workspace.use(leaveGuardsSlice).add({
        isActive,
        mustStay: () => isActive.peek(),
        onLeaveScreen: (leave) => {
          const goOn = () => {
            isActive.value = false
            leave()
          }
          workspace.use(overlaysSlice).open({ kind: 'leaveForm', leave: goOn })
        },
      }),
    [workspace, isActive],
  )
  return () => {
    isActive.value = false
  }
}
