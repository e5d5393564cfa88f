// A folder to be chosen: where one looks, what stands there, and which of it is marked.
import { computed, signal } from '@preact/signals-core'
import { call } from '../api/http.ts'
import { failureReason } from '../core/failure-reason.ts'

export type Folder = { name: string; path: string }

export type Picker = {
  /** The folder that is looked into. */
  path: string
  /** The folders in it; undefined while they are awaited. */
  folders: readonly Folder[] | undefined
  /** Which one is marked; undefined is the folder itself. */
  active: number | undefined
  /** Why it could not be read. */
  problem: string | undefined
}

const nowhere: Picker = { path: '/', folders: undefined, active: undefined, problem: undefined }

export const picker = signal<Picker>(nowhere)

/** The folder that is marked. */
export const marked = computed<Folder | undefined>(() => picker.value.folders?.[picker.value.active ?? -1])
/** Where things would go. */
export const destination = computed(() => marked.value?.path ?? picker.value.path)

let running: AbortController | undefined

/** Looks into a folder. @param mark the path of a folder in it that is to be marked */
export async function lookInto(path: string, mark?: string): Promise<void> {
  running?.abort()
  const mine = new AbortController()
  running = mine
  picker.value = { ...nowhere, path }
  const found = await read(path, mine.signal)
  if (running !== mine) return
  const index = found.folders?.findIndex((folder) => folder.path === mark) ?? -1
  picker.value = { ...nowhere, path, ...found, active: index < 0 ? undefined : index }
}

export function mark(index: number): void {
  picker.value = { ...picker.value, active: index }
}

/** Marks the next folder, or one before; above the first is none. */
export function markNext(by: 1 | -1): void {
  const { folders = [], active = -1 } = picker.value
  const next = Math.min(folders.length - 1, active + by)
  picker.value = { ...picker.value, active: next < 0 ? undefined : next }
}

export function markEnd(end: 'first' | 'last'): void {
  const { folders = [] } = picker.value
  if (folders.length > 0) mark(end === 'first' ? 0 : folders.length - 1)
}

/** Ends what was awaited: nobody looks any more. */
export function leavePicker(): void {
  running?.abort()
  running = undefined
  picker.value = nowhere
}

async function read(path: string, signal: AbortSignal): Promise<Pick<Picker, 'folders' | 'problem'>> {
  try {
    const { items = [] } = await call('GET /api/resources/*', { path, signal })
    const folders = items.filter((item) => item.isDir && !item.unreachable).map(({ name, path }) => ({ name, path }))
    return { folders, problem: undefined }
  } catch (failure) {
    return { folders: [], problem: failureReason(failure) }
  }
}
