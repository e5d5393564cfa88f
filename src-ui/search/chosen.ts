import { signal } from '@preact/signals-core'
import type { Entry } from '../core/entries.ts'
import { slice } from '../core/workspace.ts'

/** The result that the keys and the menu of the search act on. */
export const chosenSlice = slice('searchChosen', () => ({ entry: signal<Entry | undefined>(undefined) }))
