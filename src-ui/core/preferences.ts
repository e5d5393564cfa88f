import { signal } from '@preact/signals-core'
import { getItem, setItem } from './storage.ts'

/** Whether the sidebar is shown as a column, on a screen that is wide enough. */
export const sidebarShown = signal(getItem('sidebar') !== 'closed')

export function showSidebar(shown: boolean): void {
  sidebarShown.value = shown
  setItem('sidebar', shown ? undefined : 'closed')
}

/** The format of the archive that was downloaded last in this browser. */
export const lastArchiveFormat = (): string | undefined => getItem('archiveFormat')
export const rememberArchiveFormat = (format: string): void => setItem('archiveFormat', format)

/** `data-theme` for a configured theme: undefined leaves it to the system. */
export function themeOf(configured: string): 'light' | 'dark' | undefined {
  return configured === 'dark' || configured === 'light' ? configured : undefined
}
