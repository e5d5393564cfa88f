import { signal } from '@preact/signals-core'
import { slice } from './workspace.ts'

/** The file that this page gave the content of an earlier version last: a text of it that is not saved stands against that. */
export const restoredFileSlice = slice('restoredFile', () => signal<{ path: string } | undefined>(undefined))
