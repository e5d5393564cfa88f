// What was copied or cut in the listing. The page's own: the system's clipboard knows nothing of paths.
import { computed, effect, signal } from '@preact/signals-core'
import type { Item } from '../core/paths.ts'
import { user } from '../core/session.ts'

export type Clipboard = {
  /** Copied or cut. */
  key: 'c' | 'x'
  items: readonly Item[]
  /** The folder that they stood in. */
  path: string
}

export const clipboard = signal<Clipboard | undefined>(undefined)

const nothing: ReadonlySet<string> = new Set()

/** What is cut and waits to be pasted, by key. */
export const cutKeys = computed<ReadonlySet<string>>(() => {
  const { value } = clipboard
  return value?.key === 'x' ? new Set(value.items.map(({ path }) => path)) : nothing
})

let owner: number | undefined

// What one person cut is not the next one's to paste.
effect(() => {
  const id = user.value?.id
  if (owner !== undefined && owner !== id) clipboard.value = undefined
  owner = id
})
