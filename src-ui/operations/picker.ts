import { computed, signal } from '@preact/signals-core'
import { call } from '../api/http.ts'
import { whenServed } from '../api/when-served.ts'
import { failureReason } from '../core/failure-reason.ts'
import { slice, type Workspace } from '../core/workspace.ts'

export type Folder = { name: string; path: string }

export type PickerState = {
  /** The folder whose folders are listed. */
  path: string
  /** The folders in it; undefined while they are awaited. */
  folders: readonly Folder[] | undefined
  /** The index of the marked one; undefined is the folder itself. */
  active: number | undefined
  /** Why the folder could not be read. */
  problem: string | undefined
}

const closed: PickerState = { path: '/', folders: undefined, active: undefined, problem: undefined }

/** The state of the folder picker. */
export class Picker {
  readonly state = signal<PickerState>(closed)
  readonly marked = computed<Folder | undefined>(() => this.state.value.folders?.[this.state.value.active ?? -1])
  /** The folder that is chosen now. */
  readonly destination = computed(() => this.marked.value?.path ?? this.state.value.path)
  #running: AbortController | undefined

  constructor(workspace: Workspace) {
    workspace.onDispose(() => this.close())
  }

  /** Lists a folder. @param mark the path of a folder in it that is to be marked */
  async open(path: string, mark?: string): Promise<void> {
    this.#running?.abort()
    const controller = new AbortController()
    this.#running = controller
    this.state.value = { ...closed, path }
    const found = await readFolders(path, controller.signal)
    if (this.#running !== controller) return
    const index = found.folders?.findIndex((folder) => folder.path === mark) ?? -1
    this.state.value = { ...closed, path, ...found, active: index < 0 ? undefined : index }
  }

  mark(index: number): void {
    this.state.value = { ...this.state.value, active: index }
  }

  /** Marks the next folder or the one before; before the first none is marked. */
  markNext(by: 1 | -1): void {
    const { folders = [], active = -1 } = this.state.value
    const next = Math.min(folders.length - 1, active + by)
    this.state.value = { ...this.state.value, active: next < 0 ? undefined : next }
  }

  markEnd(end: 'first' | 'last'): void {
    const { folders = [] } = this.state.value
    if (folders.length > 0) this.mark(end === 'first' ? 0 : folders.length - 1)
  }

  close(): void {
    this.#running?.abort()
    this.#running = undefined
    this.state.value = closed
  }
}

export const pickerSlice = slice('picker', (workspace) => new Picker(workspace))

async function readFolders(path: string, signal: AbortSignal): Promise<Pick<PickerState, 'folders' | 'problem'>> {
  try {
    const { items = [] } = await whenServed(() => call('GET /api/resources/*', { path, signal }), signal)
    const folders = items.filter((item) => item.isDir && !item.unreachable).map(({ name, path }) => ({ name, path }))
    return { folders, problem: undefined }
  } catch (failure) {
    return { folders: [], problem: failureReason(failure) }
  }
}
