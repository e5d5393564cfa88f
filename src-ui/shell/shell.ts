import { signal } from '@preact/signals-core'
import { slice } from '../core/workspace.ts'

/** Whether the panel for commands is open. All else of it is loaded when it is opened first. */
export const shellSlice = slice('shell', () => {
  const isOpen = signal(false)
  return {
    isOpen,
    show: (shown: boolean) => {
      isOpen.value = shown
    },
  }
})
