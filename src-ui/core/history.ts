// Where one was in a folder, kept with each entry of the browser's history: Back leads to the same row.
import type { Selection } from '../listing/selection.ts'

export type ScrollState = {
  /** Pixels from the top. */
  scroll: number
  focus: string | undefined
  selected: readonly string[]
}

type Holder = Pick<History, 'state' | 'replaceState'>
type Keeper = Pick<Storage, 'getItem' | 'setItem'>

/** How many entries are remembered; the oldest are forgotten first. */
const longest = 200
const storageName = 'holdall:spots'

const scrollStates = new Map<string, ScrollState>()
let last = 0

/** The name of the history entry that the browser is at; given to it when it has none. */
export function historyKey(history: Holder = window.history): string {
  const state = history.state as { entry?: string } | null
  if (state?.entry) return state.entry
  const entry = newName()
  history.replaceState({ ...state, entry }, '')
  return entry
}

/** Keeps the spot of an entry. Cheap: called whenever one scrolls. */
export function saveScrollState(entry: string, spot: ScrollState): void {
  scrollStates.delete(entry)
  scrollStates.set(entry, spot)
  const [oldest] = scrollStates.keys()
  if (scrollStates.size > longest && oldest) scrollStates.delete(oldest)
}

/** The state for a new history entry at which the keyboard is to be at this row: one comes up from a folder to that folder. */
export function initialScrollState(key: string): { entry: string } {
  const entry = newName()
  saveScrollState(entry, { scroll: 0, focus: key, selected: [key] })
  return { entry }
}

function newName(): string {
  last += 1
  return `${Date.now().toString(36)}-${last}`
}

export const scrollStateOf = (entry: string): ScrollState | undefined => scrollStates.get(entry)

/** A spot that is worth keeping; a selection of thousands is not. */
export function makeScrollState(scroll: number, { keys, focus }: Selection): ScrollState {
  return { scroll, focus, selected: keys.size > 1000 ? [] : [...keys] }
}

/** Carries the spots over when the page is loaded again. @returns what ends it */
export function persistScrollStates(page: Pick<Window, 'addEventListener' | 'removeEventListener'>): () => void {
  restoreScrollStates(tabStorage())
  const save = () => storeScrollStates(tabStorage())
  page.addEventListener('pagehide', save)
  return () => page.removeEventListener('pagehide', save)
}

/** Forgets every spot: what one person looked at is not the next one's business. */
export function clearScrollStates(): void {
  scrollStates.clear()
  storeScrollStates(tabStorage())
}

export function storeScrollStates(keeper: Keeper | undefined): void {
  try {
    keeper?.setItem(storageName, JSON.stringify([...scrollStates]))
  } catch {
    // A full storage forgets where one was.
  }
}

export function restoreScrollStates(keeper: Keeper | undefined): void {
  try {
    for (const [entry, spot] of JSON.parse(keeper?.getItem(storageName) ?? '[]') as [string, ScrollState][])
      scrollStates.set(entry, spot)
  } catch {
    // What another version wrote is no loss.
  }
}

// A browser may forbid storage altogether.
function tabStorage(): Keeper | undefined {
  try {
    return globalThis.sessionStorage
  } catch {
    return undefined
  }
}
