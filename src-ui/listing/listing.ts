import { batch, computed, signal } from '@preact/signals-core'
import type { Sorting, ViewMode } from '../../src-server/contract/users.ts'
import { HttpFailure } from '../api/http.ts'
import type { Target } from '../core/command.ts'
import { dragSlice } from '../core/drag.ts'
import { type Entry, neighbourOf, type SortedEntries, toSortedEntries } from '../core/entries.ts'
import { type EntryView, entryViewSlice, type ListingState, type RevealRequest } from '../core/entry-view.ts'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { isBusyElsewhere, overlaysSlice } from '../core/overlay.ts'
import { ownSettingsSlice } from '../core/own-settings.ts'
import { childOf, nameOf, parentOf } from '../core/paths.ts'
import { locked } from '../core/session.ts'
import { type Permission, slice, type Workspace } from '../core/workspace.ts'
import { editorSlice } from '../editor/editor.ts'
import { locale } from '../i18n/locale.ts'
import { isolate, t } from '../i18n/t.ts'
import { fetchListing, isTemporary } from './fetch-listing.ts'
import { type FolderState, KnownFolders, knownFile } from './known-folders.ts'
import { type PartialListing, partialListingOf } from './partial-listing.ts'
import { clearSelection, keepPresent, nothingSelected, type Selection, selectedIn, selectOnly } from './selection.ts'
import { nextSorting, type SortBy, sortEntries } from './sorting.ts'

/** Milliseconds after which loading is shown. */
export const loadingDelay = 150
/** Milliseconds for which new entries are highlighted. */
const highlightTime = 1000

/** The listing: the current path, what was loaded, how it is sorted, and what is selected. */
export class Listing implements EntryView {
  readonly #workspace: Workspace
  readonly currentPath = signal('/')
  readonly state = signal<ListingState>({ kind: 'nothing' })
  readonly loading = signal(false)
  /** Whether the server is asked for the current path. */
  readonly isReading = signal(false)
  readonly isLive = signal(false)
  /** Whether the last refresh that was asked for has failed, and its notice is shown. */
  readonly isStale = signal(false)
  /** The first entries of a large folder while the rest is awaited: shown, but not yet usable. */
  readonly partialListing = signal<PartialListing | undefined>(undefined)
  readonly selection = signal<Selection>(nothingSelected)
  /** Whether a plain click or tap adds to the selection: until it is cleared or another path is loaded. */
  readonly isMultiple = signal(false)
  /** Entries that have just been added, by key: an upload, a new folder. */
  readonly highlighted = signal<ReadonlySet<string>>(new Set())
  /** An entry that is to be scrolled into view. An equal value is a new request. */
  readonly revealRequest = signal<RevealRequest | undefined>(undefined)
  /** Whether the path is shown as a text field. */
  readonly isEditingPath = signal(false)
  readonly #chosenSorting = signal<Sorting | undefined>(undefined)
  readonly #chosenView = signal<ViewMode | undefined>(undefined)
  /** When the last listing was asked for, as `performance.now()` tells it. */
  readAt = 0
  readonly #known = new KnownFolders()
  #running: AbortController | undefined
  #latest: Promise<ListingState | undefined> | undefined
  #failedRefreshNotice = 0

  readonly #serverSorting = computed(() => (this.state.value.kind === 'folder' ? this.state.value.resource.sorting : undefined))
  /** The sorting chosen in this visit, else the folder's own as the server reports it, else the person's. */
  readonly sorting = computed<Sorting>(
    () =>
      this.#chosenSorting.value ?? this.#serverSorting.value ?? this.#workspace.user.value?.sorting ?? { by: 'name', asc: true },
  )
  readonly viewMode = computed<ViewMode>(() => this.#chosenView.value ?? this.#workspace.user.value?.viewMode ?? 'list')
  /** The entries of the folder in the order in which they are shown. */
  readonly sortedEntries = computed<SortedEntries>(() => {
    const { value } = this.state
    if (value.kind !== 'folder') return toSortedEntries([])
    const known = { serverSorting: this.#serverSorting.value, locale: locale.value.code }
    return toSortedEntries(sortEntries(value.entries, this.sorting.value, known))
  })
  /** The selected entries, in the order in which they are shown. */
  readonly selected = computed<Entry[]>(() => selectedIn(this.sortedEntries.value, this.selection.value))

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    workspace.provide(entryViewSlice, this)
  }

  target(): Target {
    const { value } = this.state
    if (value.kind !== 'file') return { items: this.selected.value, folder: this.currentPath.value }
    return { items: [{ ...value.resource, path: value.path, key: value.path }], folder: parentOf(value.path) }
  }

  isFolderShown(): boolean {
    return this.state.value.kind === 'folder'
  }

  may(permission: Permission): boolean {
    const isSearching = this.#workspace.use(overlaysSlice).current.value.kind === 'search'
    return (this.isFolderShown() || isSearching) && this.#workspace.may(permission)
  }

  mayOnItems(permission: Permission): boolean {
    const { value } = this.state
    if (value.kind !== 'folder' && value.kind !== 'file') return false
    // A text that is not saved yet would be saved under its old name.
    return this.#workspace.may(permission) && !this.#workspace.use(editorSlice).holds(value.path)
  }

  /** A folder as it was shown last. */
  knownFolder(path: string): FolderState | undefined {
    return this.#known.get(path)
  }

  /** Keeps what was read of a folder that is not shown. */
  keepKnown(folder: FolderState): void {
    this.#known.keep(folder)
  }

  /** Whether another path than the shown one is loading. */
  isNavigating(): boolean {
    return this.state.value.kind !== 'nothing' && this.state.value.path !== this.currentPath.value
  }

  /**
   * Loads a path. The previous content stays until the answer arrives or loading takes long enough to be shown. Kept rows of the
   * folder, and a file of a kept folder, are shown at once, and replaced when the answer arrives.
   */
  async load(path: string): Promise<void> {
    const known = this.#known.get(path) ?? knownFile(this.#known.get(parentOf(path)), path)
    const isElsewhere = path !== this.currentPath.value || this.state.value.kind === 'failed'
    batch(() => {
      this.currentPath.value = path
      this.loading.value = false
      this.partialListing.value = undefined
      this.revealRequest.value = undefined
      if (isElsewhere) this.#forgetSelection()
      if (known) this.state.value = known
    })
    if (known) return this.#refresh()
    const clearTimer = this.#workspace.timeout(() => {
      this.loading.value = true
    }, loadingDelay)
    await this.#fetchListing(path, clearTimer)
  }

  /** Loads the current path again. The entries stay meanwhile, and also when the server cannot be reached. */
  refresh(): Promise<void> {
    return this.#refresh()
  }

  /** As `refresh`, but not while the session is over, something is dragged or a folder is being read; a failure is not reported. */
  async refreshQuietly(): Promise<void> {
    await this.#latest
    const isHeld = locked.peek() || this.#workspace.use(dragSlice).cancel.peek() !== undefined
    if (isHeld || this.state.peek().kind === 'nothing' || this.isNavigating()) return
    await this.#refresh({ isQuiet: true })
  }

  async #refresh({ isQuiet = false } = {}): Promise<void> {
    const next = await this.#fetchListing(this.currentPath.value)
    // A later load replaces this one.
    await this.#latest
    if (!next || !this.#keepsShown(next) || isQuiet || next.status === 401) return
    this.isStale.value = true
    const notices = this.#workspace.use(noticesSlice)
    const isFile = this.state.value.kind === 'file'
    const title = isFile ? t('editor.notReadAgain', { name: isolate(nameOf(next.path)) }) : t('listing.notRefreshed')
    notices.dismiss(this.#failedRefreshNotice)
    this.#failedRefreshNotice = notices.fail(title, failureReason(new HttpFailure(next.status, next.message, next)))
  }

  /** Whether a failure says nothing about what is shown: that stays, with the name or the text that is typed in it. */
  #keepsShown(next: ListingState): next is ListingState & { kind: 'failed' } {
    const { value } = this.state
    const isShown = value.kind === 'folder' || value.kind === 'file'
    return next.kind === 'failed' && isTemporary(next.status) && isShown && value.path === next.path
  }

  showNew(paths: readonly string[]): void {
    const keys = new Set(paths.map((path) => childOf(this.currentPath.value, path)))
    const entries = this.sortedEntries.value.entries.filter((entry) => keys.has(entry.key))
    const [first] = entries
    if (!first) return
    batch(() => {
      this.selection.value = { keys: new Set(entries.map((entry) => entry.key)), focus: first.key }
      this.highlighted.value = this.selection.value.keys
      this.reveal(first.key)
    })
    this.#workspace.timeout(() => {
      this.highlighted.value = new Set()
    }, highlightTime)
  }

  select(keys: readonly string[]): void {
    this.selection.value = { ...this.selection.peek(), keys: new Set(keys) }
  }

  reveal(key: string, focus?: RevealRequest['focus']): void {
    this.revealRequest.value = { key, focus }
  }

  /** With nothing left, the focus goes to the content. */
  focusNeighbour(before: SortedEntries, gone: ReadonlySet<string>): void {
    // The person has gone on meanwhile, as the entries may vanish before the call is answered.
    if ([...this.selection.peek().keys].some((selected) => !gone.has(selected))) return
    const key = neighbourOf(before, gone)
    if (key === undefined || this.sortedEntries.value.indexOf(key) === undefined) {
      if (typeof document !== 'undefined' && !isBusyElsewhere(this.#workspace, null))
        document.getElementById('main')?.focus({ preventScroll: true })
      return
    }
    this.selection.value = { keys: new Set(), focus: key }
    this.reveal(key, 'quietly')
  }

  /** Forgets what was found: the file area is left. */
  reset(): void {
    this.#running?.abort()
    batch(() => {
      this.currentPath.value = '/'
      this.state.value = { kind: 'nothing' }
      this.partialListing.value = undefined
      this.loading.value = false
      this.#forgetSelection()
      this.revealRequest.value = undefined
    })
  }

  /** Sorts by a column, or reverses the order when it is already sorted by it. */
  sortBy(by: SortBy): void {
    this.setSorting(nextSorting(this.sorting.value, by))
  }

  /** Takes effect at once, and is stored with the account. */
  setSorting(sorting: Sorting): void {
    this.#chosenSorting.value = sorting
    const column = t(`listing.${sorting.by}`)
    this.#workspace.use(noticesSlice).announce(t(sorting.asc ? 'listing.sortedUp' : 'listing.sortedDown', { column }))
    void this.#workspace.use(ownSettingsSlice).save({ sorting })
  }

  /** Takes effect at once, and is stored with the account. */
  setViewMode(viewMode: ViewMode): void {
    this.#chosenView.value = viewMode
    void this.#workspace.use(ownSettingsSlice).save({ viewMode })
  }

  /** Selects the entry after the selected one, or the one before it. */
  selectBeside(by: 1 | -1): void {
    const { entries, indexOf } = this.sortedEntries.peek()
    const from = indexOf(this.selected.peek()[0]?.key)
    const next = from === undefined ? undefined : entries[from + by]
    if (!next) return
    this.selection.value = selectOnly(next.key)
    this.reveal(next.key)
  }

  /** Selects nothing, and lets a click select one entry again. */
  clearSelected(): void {
    batch(() => {
      this.selection.value = clearSelection(this.selection.value)
      this.isMultiple.value = false
    })
  }

  editPath(isWanted: boolean): void {
    this.isEditingPath.value = isWanted
  }

  #forgetSelection(): void {
    this.selection.value = nothingSelected
    this.isMultiple.value = false
  }

  #fetchListing(path: string, settled?: () => void): Promise<ListingState | undefined> {
    this.#running?.abort()
    const controller = new AbortController()
    this.#running = controller
    this.isReading.value = true
    this.readAt = performance.now()
    const signal = AbortSignal.any([controller.signal, this.#workspace.signal])
    this.#latest = fetchListing(path, { signal, onBeginning: (beginning) => this.#showPartial(path, beginning) }).then((next) => {
      settled?.()
      // A later load has replaced this one.
      if (this.#running !== controller) return undefined
      batch(() => {
        if (next && !this.#keepsShown(next)) this.update(next)
        this.isReading.value = false
      })
      return next
    })
    return this.#latest
  }

  /** Shows the first entries of another folder before all have arrived, when they come in the wanted order. */
  #showPartial(path: string, beginning: string): void {
    if (this.state.value.kind !== 'nothing' && this.state.value.path === path) return
    const next = partialListingOf(path, beginning)
    const wanted = this.#chosenSorting.value ?? next?.sorting
    if (next && wanted?.by === next.sorting.by && wanted.asc === next.sorting.asc) this.partialListing.value = next
  }

  /** Shows a new state of the current path. The selection keeps what is still there. */
  update(next: ListingState): void {
    const before = this.sortedEntries.value
    this.#workspace.use(noticesSlice).dismiss(this.#failedRefreshNotice)
    this.isStale.value = false
    if (next.kind === 'folder') this.#known.keep(next)
    else if (next.kind !== 'failed' || !isTemporary(next.status)) this.#known.forget(this.currentPath.peek())
    batch(() => {
      this.state.value = next
      this.partialListing.value = undefined
      this.loading.value = false
    })
    if (this.selection.value !== nothingSelected)
      this.selection.value = keepPresent(this.selection.value, before, this.sortedEntries.value)
  }
}

export const listingSlice = slice('listing', (workspace) => new Listing(workspace))
