import { signal } from '@preact/signals-core'
import type { Item } from '../core/entries.ts'
import { slice } from '../core/workspace.ts'

/** A move that can be undone: the items where they are now, and the folder that they came from. */
export type Undoable = { items: readonly Item[]; to: string }

export const undoSlice = slice('undo', () => ({
  undoable: signal<Undoable | undefined>(undefined),
  /** The notice that offers to undo it. */
  noticeId: undefined as number | undefined,
}))
