import { signal } from '@preact/signals-core'
import { getItem, setItem } from './storage.ts'

/** Whether the sidebar is shown as a column, on a screen that is wide enough. */
export const sidebarShown = signal(getItem('sidebar') !== 'closed')

export function showSidebar(shown: boolean): void {
  sidebarShown.value = shown
  setItem('sidebar', shown ? undefined : 'closed')
}

/** `data-theme` for a configured theme: undefined leaves it to the system. */
export function themeOf(configured: string): 'light' | 'dark' | undefined {
  return configured === 'dark' || configured === 'light' ? configured : undefined
}
