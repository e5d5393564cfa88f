import { signal } from '@preact/signals-core'
import { slice } from './workspace.ts'

/**
 * Stands for what a person does at once: all its calls are sent with it, so that it is undone as one. `crypto.randomUUID` needs a secure
 * context, which most home networks are not.
 */
export const newAct = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** What the first page has reported as done, and its notice: the later part offers to undo it. */
export const reportedSlice = slice('reported', () => signal<{ act: string | undefined; notice: number } | undefined>(undefined))
