// Scroll position, focus and selection of a folder, kept for each entry of the browser's history: Back restores them.
import { slice, type Workspace } from './workspace.ts'

export type ScrollState = {
  /** Pixels from the top. */
  scroll: number
  focus: string | undefined
  selected: readonly string[]
}

type Holder = Pick<History, 'state' | 'replaceState'>
type Store = Pick<Storage, 'getItem' | 'setItem'>

/** The maximum number of states; the oldest are removed first. */
const longest = 200
/** A selection of more entries than this is not kept. */
const largestSelection = 1000
const storageName = 'holdall:scroll'

let lastKey = 0

/** The key of the current history entry; it is given one when it has none. */
export function historyKey(history: Holder = window.history): string {
  const state = history.state as { entry?: string } | null
  if (state?.entry) return state.entry
  const entry = newKey()
  history.replaceState({ ...state, entry }, '')
  return entry
}

function newKey(): string {
  lastKey += 1
  return `${Date.now().toString(36)}-${lastKey}`
}

export function makeScrollState(
  scroll: number,
  { keys, focus }: { keys: ReadonlySet<string>; focus: string | undefined },
): ScrollState {
  return { scroll, focus, selected: keys.size > largestSelection ? [] : [...keys] }
}

export class ScrollStates {
  readonly #states = new Map<string, ScrollState>()

  get(key: string): ScrollState | undefined {
    return this.#states.get(key)
  }

  /** Cheap: called on each scroll event. */
  save(key: string, state: ScrollState): void {
    this.#states.delete(key)
    this.#states.set(key, state)
    const [oldest] = this.#states.keys()
    if (this.#states.size > longest && oldest) this.#states.delete(oldest)
  }

  /** The history state of a folder that is opened with this entry focused and, unless told otherwise, selected. */
  initial(focus: string, selected = [focus]): { entry: string } {
    const entry = newKey()
    this.save(entry, { scroll: 0, focus, selected })
    return { entry }
  }

  store(storage: Store | undefined): void {
    try {
      storage?.setItem(storageName, JSON.stringify([...this.#states]))
    } catch {
      // The storage is full: the scroll positions are lost on reload.
    }
  }

  restore(storage: Store | undefined): void {
    try {
      const stored = JSON.parse(storage?.getItem(storageName) ?? '[]') as [string, ScrollState][]
      for (const [key, state] of stored) this.#states.set(key, state)
    } catch {
      // Another version stored it in another format.
    }
  }
}

export const scrollStatesSlice = slice('scrollStates', () => new ScrollStates())

/** Keeps the scroll states of this person when the page is reloaded, and removes them when the workspace is disposed. */
export function persistScrollStates(workspace: Workspace, page: Pick<Window, 'addEventListener' | 'removeEventListener'>): void {
  const states = workspace.use(scrollStatesSlice)
  states.restore(tabStorage())
  workspace.listen(page, 'pagehide', () => states.store(tabStorage()))
  workspace.onDispose(() => new ScrollStates().store(tabStorage()))
}

// Access to storage throws when the browser forbids it.
function tabStorage(): Store | undefined {
  try {
    return globalThis.sessionStorage
  } catch {
    return undefined
  }
}
