// Where one was in a folder, kept with each entry of the browser's history: Back leads to the same row.
import type { Selection } from './selection.ts'

export type Spot = {
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

const spots = new Map<string, Spot>()
let last = 0

/** The name of the history entry that the browser is at; given to it when it has none. */
export function entryName(history: Holder = window.history): string {
  const state = history.state as { entry?: string } | null
  if (state?.entry) return state.entry
  const entry = newName()
  history.replaceState({ ...state, entry }, '')
  return entry
}

/** Keeps the spot of an entry. Cheap: called whenever one scrolls. */
export function keepSpot(entry: string, spot: Spot): void {
  spots.delete(entry)
  spots.set(entry, spot)
  const [oldest] = spots.keys()
  if (spots.size > longest && oldest) spots.delete(oldest)
}

/** The state for a new history entry at which the keyboard is to be at this row: one comes up from a folder to that folder. */
export function arriveAt(key: string): { entry: string } {
  const entry = newName()
  keepSpot(entry, { scroll: 0, focus: key, selected: [key] })
  return { entry }
}

function newName(): string {
  last += 1
  return `${Date.now().toString(36)}-${last}`
}

export const spotOf = (entry: string): Spot | undefined => spots.get(entry)

/** A spot that is worth keeping; a selection of thousands is not. */
export function makeSpot(scroll: number, { keys, focus }: Selection): Spot {
  return { scroll, focus, selected: keys.size > 1000 ? [] : [...keys] }
}

/** Carries the spots over when the page is loaded again. @returns what ends it */
export function keepSpotsAcrossLoads(page: Pick<Window, 'addEventListener' | 'removeEventListener'>): () => void {
  restoreSpots(tabStorage())
  const save = () => saveSpots(tabStorage())
  page.addEventListener('pagehide', save)
  return () => page.removeEventListener('pagehide', save)
}

/** Forgets every spot: what one person looked at is not the next one's business. */
export function forgetSpots(): void {
  spots.clear()
  saveSpots(tabStorage())
}

export function saveSpots(keeper: Keeper | undefined): void {
  try {
    keeper?.setItem(storageName, JSON.stringify([...spots]))
  } catch {
    // A full storage forgets where one was.
  }
}

export function restoreSpots(keeper: Keeper | undefined): void {
  try {
    for (const [entry, spot] of JSON.parse(keeper?.getItem(storageName) ?? '[]') as [string, Spot][]) spots.set(entry, spot)
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
