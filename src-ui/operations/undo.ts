// What was done last and can be taken back.
import { effect, signal } from '@preact/signals-core'
import type { Item } from '../core/paths.ts'
import { user } from '../core/session.ts'

/** Things that were moved, where they stand now, and the folder that they came from. */
export type Undoable = { items: readonly Item[]; to: string }

export const undoable = signal<Undoable | undefined>(undefined)

let owner: number | undefined

// What one person did is not the next one's to take back.
effect(() => {
  const id = user.value?.id
  if (owner !== undefined && owner !== id) undoable.value = undefined
  owner = id
})
