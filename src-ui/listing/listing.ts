// What the file area shows: the place that is looked at, and what was found there.
import { batch, computed, effect, signal } from '@preact/signals-core'
import type { Resource } from '../../src-server/contract/files.ts'
import type { Sorting, ViewMode } from '../../src-server/contract/users.ts'
import { call, HttpFailure } from '../api/http.ts'
import { type Entry, entriesOf, type SortedEntries, toSortedEntries } from '../core/entries.ts'
import { clearScrollStates } from '../core/history.ts'
import { announce, fail } from '../core/notices.ts'
import { saveOwnSettings } from '../core/own-settings.ts'
import { user } from '../core/session.ts'
import { locale } from '../i18n/locale.ts'
import { t } from '../i18n/t.ts'
import { partialListing, partialListingOf } from './partial-listing.ts'
import { clearSelection, isMultiple, keepPresent, nothingSelected, selectedIn, selection } from './selection.ts'
import { nextSorting, type SortBy, sortEntries } from './sorting.ts'

export type ListingState =
  /** Nothing yet. */
  | { kind: 'nothing' }
  | { kind: 'folder'; path: string; resource: Resource; entries: readonly Entry[] }
  | { kind: 'file'; path: string; resource: Resource }
  /** The server's status and sentence; status 0 when it was not reached. */
  | { kind: 'failed'; path: string; status: number; message: string }

export type RevealRequest = {
  key: string
  /** Takes the focus there: with its ring for whoever moves by keyboard, or as the browser sees fit. */
  focus: 'byKeyboard' | 'quietly' | undefined
}

/** After which time, in milliseconds, a wait is shown. */
export const loadingDelay = 150

/** How long something new is marked, in milliseconds. */
const highlightTime = 1000

/** The path that is looked at, decoded and without a slash at its end: `/Mill House`; `/` is the root. */
export const currentPath = signal('/')
/** What was found last. While another place is awaited it is still that of the place before. */
export const listingState = signal<ListingState>({ kind: 'nothing' })
/** The wait for `here` lasts long enough to be shown. */
export const loading = signal(false)

const chosenSorting = signal<Sorting | undefined>(undefined)
const chosenView = signal<ViewMode | undefined>(undefined)

/** The order of the listing: chosen in this visit, else the person's own as the server tells it. */
export const sorting = computed<Sorting>(
  () => chosenSorting.value ?? serverSorting() ?? user.value?.sorting ?? { by: 'name', asc: true },
)
export const viewMode = computed<ViewMode>(() => chosenView.value ?? user.value?.viewMode ?? 'list')

/** The entries of the folder as they are shown. */
export const sortedEntries = computed<SortedEntries>(() => {
  const { value } = listingState
  if (value.kind !== 'folder') return toSortedEntries([])
  return toSortedEntries(sortEntries(value.entries, sorting.value, { serverSorting: serverSorting(), locale: locale.value.code }))
})

/** What is selected in the folder, as it is shown. */
export const selected = computed<Entry[]>(() => selectedIn(sortedEntries.value, selection.value))

/** What has just come into the folder, by key: an upload, a new folder. */
export const highlighted = signal<ReadonlySet<string>>(new Set())
/** An entry that is to come into view. The same again is a new wish. */
export const revealRequest = signal<RevealRequest | undefined>(undefined)

let owner: number | undefined

// Another person: nothing of what the one before looked at and chose is theirs.
effect(() => {
  const id = user.value?.id
  if (owner !== undefined && owner !== id) forgetPerson()
  owner = id
})

/** Another place is looked at than the one that is shown. */
export const isNavigating = (): boolean => listingState.value.kind !== 'nothing' && listingState.value.path !== currentPath.value

let running: AbortController | undefined
let latest: Promise<void> | undefined

/** Looks at another place. What was shown stays until the answer is here or the wait is worth showing. */
export async function load(path: string): Promise<void> {
  const elsewhere = path !== currentPath.value || listingState.value.kind === 'failed'
  batch(() => {
    currentPath.value = path
    loading.value = false
    partialListing.value = undefined
    revealRequest.value = undefined
    if (elsewhere) forgetSelection()
  })
  const timer = setTimeout(() => {
    loading.value = true
  }, loadingDelay)
  await fetchListing(path, () => clearTimeout(timer))
}

/** Asks again for what is shown; meanwhile it stays, and when the server is out of reach it stays too. */
export async function refresh(): Promise<void> {
  const before = listingState.value
  const kept = selection.value
  await fetchListing(currentPath.value)
  // Another look that has begun meanwhile brings what is new in place of this one.
  await latest
  const now = listingState.value
  if (before.kind !== 'folder' || now.kind !== 'failed' || now.path !== before.path || !isPassing(now.status)) return
  batch(() => {
    listingState.value = before
    // Nothing was learned: what was selected still is.
    selection.value = kept
  })
  fail(t('listing.notRefreshed'), now.message)
}

/** Selects what has just come into the folder, and brings the first of it into view. */
export function showNew(paths: readonly string[]): void {
  const keys = new Set(paths.map((path) => childOf(currentPath.value, path)))
  const entries = sortedEntries.value.entries.filter((entry) => keys.has(entry.key))
  const [first] = entries
  if (!first) return
  batch(() => {
    selection.value = { keys: new Set(entries.map((entry) => entry.key)), focus: first.key }
    highlighted.value = selection.value.keys
    reveal(first.key)
  })
  setTimeout(() => {
    highlighted.value = new Set()
  }, highlightTime)
}

export function reveal(key: string, focus?: RevealRequest['focus']): void {
  revealRequest.value = { key, focus }
}

/** Forgets what was found: the next person, or the next visit, begins afresh. */
export function reset(): void {
  running?.abort()
  batch(() => {
    currentPath.value = '/'
    listingState.value = { kind: 'nothing' }
    partialListing.value = undefined
    loading.value = false
    forgetSelection()
    revealRequest.value = undefined
  })
}

export function sortBy(by: SortBy): void {
  setSorting(nextSorting(sorting.value, by))
}

/** At once here, and from now on for this person. */
export function setSorting(wanted: Sorting): void {
  chosenSorting.value = wanted
  announce(t(wanted.asc ? 'listing.sortedUp' : 'listing.sortedDown', { column: t(`listing.${wanted.by}`) }))
  void saveOwnSettings({ sorting: wanted })
}

/** At once here, and from now on for this person. */
export function setViewMode(mode: ViewMode): void {
  chosenView.value = mode
  void saveOwnSettings({ viewMode: mode })
}

/** Nothing is selected, and a click selects one again. */
export function clearSelected(): void {
  batch(() => {
    selection.value = clearSelection(selection.value)
    isMultiple.value = false
  })
}

function forgetSelection(): void {
  selection.value = nothingSelected
  isMultiple.value = false
}

function forgetPerson(): void {
  chosenSorting.value = undefined
  chosenView.value = undefined
  clearScrollStates()
}

function fetchListing(path: string, settled?: () => void): Promise<void> {
  latest = fetchOnce(path, settled)
  return latest
}

async function fetchOnce(path: string, settled?: () => void): Promise<void> {
  running?.abort()
  const mine = new AbortController()
  running = mine
  const next = await requestListing(path, mine.signal)
  settled?.()
  // A later visit has taken over: what this one brought is of no interest any more.
  if (next && running === mine) apply(next)
}

async function requestListing(path: string, signal: AbortSignal): Promise<ListingState | undefined> {
  try {
    const onBeginning = (beginning: string) => signal.aborted || showPartial(path, beginning)
    const resource = await call('GET /api/resources/*', { path, signal, onBeginning })
    return resource.isDir ? { kind: 'folder', path, resource, entries: entriesOf(resource) } : { kind: 'file', path, resource }
  } catch (failure) {
    if (signal.aborted) return undefined
    const { status, message } = failure instanceof HttpFailure ? failure : { status: 0, message: String(failure) }
    return { kind: 'failed', path, status, message }
  }
}

/** Shows the first entries of another folder before all are here, where they come in the order that is wanted. */
function showPartial(path: string, beginning: string): void {
  if (listingState.value.kind !== 'nothing' && listingState.value.path === path) return
  const next = partialListingOf(path, beginning)
  const wanted = chosenSorting.value ?? next?.sorting
  if (next && wanted?.by === next.sorting.by && wanted.asc === next.sorting.asc) partialListing.value = next
}

function apply(next: ListingState): void {
  const before = sortedEntries.value
  batch(() => {
    listingState.value = next
    partialListing.value = undefined
    loading.value = false
  })
  if (selection.value !== nothingSelected) selection.value = keepPresent(selection.value, before, sortedEntries.value)
}

/** The part of a path that stands in a folder itself: `/a/b` for `/a/b/c.txt` in `/a`; '' when it lies elsewhere. */
function childOf(folder: string, path: string): string {
  const start = folder === '/' ? '/' : `${folder}/`
  return path.startsWith(start) ? start + (path.slice(start.length).split('/')[0] ?? '') : ''
}

// Nothing was said about the folder itself: the server is busy, or the network is away.
const isPassing = (status: number): boolean => status === 0 || status === 429 || status >= 500

const serverSorting = (): Sorting | undefined =>
  listingState.value.kind === 'folder' ? listingState.value.resource.sorting : undefined
