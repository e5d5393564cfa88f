import { signal } from '@preact/signals-core'

/** Whether the path is a field that one types in. */
export const isEditingPath = signal(false)

export function editPath(wanted: boolean): void {
  isEditingPath.value = wanted
}

/** The path that was typed, as the page knows places: `/a/b` for ` a//b/ `. */
export const typedPath = (text: string): string => `/${text.trim().split('/').filter(Boolean).join('/')}`
