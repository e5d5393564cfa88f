import { signal } from '@preact/signals-core'
import { slice } from './workspace.ts'

/** The acts of this page, and which number each of them was. */
const made = new Map<string, number>()

/**
 * Stands for what a person does at once: all its calls are sent with it, so that it is undone as one. `crypto.randomUUID` needs a secure
 * context, which most home networks are not.
 */
export function newAct(): string {
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-')
  made.set(key, made.size)
  return key
}

/** Which number an act was in this page, from 0; undefined for one of another page. */
export const numberOf = (key: string): number | undefined => made.get(key)

/** `isFailure`: a part has failed, or all. */
type Reported = { act: string | undefined; notice: number; isFailure?: boolean }

/** What the first page has reported as done, and its notice: the later part offers to undo it. */
export const reportedSlice = slice('reported', () => signal<Reported | undefined>(undefined))

/** What takes long and is not over. */
export type Ongoing = Readonly<{
  /** The key of its act. */
  key: string
  title: string
  /** Why it does not go on by itself. */
  resting?: string | undefined
  /** When the server began it, in milliseconds since 1970; undefined when that is not known. */
  startedAt?: number
  /** Ends it; resolves when nothing of it changes any more. What is done stays. undefined when it is an undo itself. */
  stop: (() => Promise<void>) | undefined
}>

/** What tells of ongoing work, the newest first. */
export const ongoingSlice = slice('ongoing', () => new Set<() => readonly Ongoing[]>())
