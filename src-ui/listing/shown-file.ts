import { computed, signal, untracked } from '@preact/signals-core'
import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import { type Entry, toSortedEntries } from '../core/entries.ts'
import { type FileView, fileViewSlice, neighboursOf } from '../core/file-view.ts'
import { historyKey, scrollStatesSlice } from '../core/history.ts'
import { go, goBack } from '../core/location.ts'
import { nameOf, parentOf } from '../core/paths.ts'
import { presenceSlice } from '../core/presence.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import { fetchListing } from './fetch-listing.ts'
import type { FolderState } from './known-folders.ts'
import { listingSlice } from './listing.ts'
import { sortEntries } from './sorting.ts'

/** What the history keeps with a file that was opened from a listing: the key of the listing's entry, which is the one before. */
type FileState = { opener?: string } | null

/** The shown file and the entries beside it. */
export class ShownFile implements FileView {
  readonly #workspace: Workspace
  readonly #folder = signal<FolderState | undefined>(undefined)
  #reading: AbortController | undefined

  readonly file = computed<Entry | undefined>(() => {
    const { value } = this.#listing.state
    return value.kind === 'file' ? { ...value.resource, path: value.path, key: value.path } : undefined
  })
  readonly #path = computed(() => this.file.value?.path)
  readonly siblings = computed(() => {
    const { value: folder } = this.#folder
    const path = this.#path.value
    if (!folder || path === undefined || folder.path !== parentOf(path)) return toSortedEntries([])
    const known = { serverSorting: folder.resource.sorting, locale: locale.value.code }
    return toSortedEntries(sortEntries(folder.entries, this.#listing.sorting.value, known))
  })
  readonly neighbours = computed(() => neighboursOf(this.siblings.value, this.#path.value ?? ''))

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    workspace.provide(fileViewSlice, this)
    const folderPath = computed(() => (this.#path.value === undefined ? undefined : parentOf(this.#path.value)))
    workspace.effect(() => {
      const folder = folderPath.value
      untracked(() => this.#follow(folder))
    })
    const { returns } = workspace.use(presenceSlice)
    workspace.effect(() => {
      const folder = folderPath.peek()
      if (returns.value > 0 && folder !== undefined) untracked(() => void this.#read(folder))
    })
    workspace.effect(() => {
      const path = this.#path.value
      untracked(() => this.#keepInOpener(path))
    })
  }

  wasOpened(): boolean {
    return openerOf() !== undefined
  }

  show(path: string): void {
    go(pathOf(path, false), { replace: true, state: history.state })
  }

  close(): void {
    // Unsaved text stays when its file is gone.
    const path = this.file.peek()?.path ?? this.#listing.currentPath.peek()
    if (openerOf()) {
      goBack()
      return
    }
    const state = this.#workspace.use(scrollStatesSlice).initial(path, selectedAfter(path))
    go(pathOf(parentOf(path), true), { replace: true, state })
  }

  removed(path: string): void {
    const { next, previous } = this.neighbours.peek()
    this.#change((entries) => entries.filter((entry) => entry.path !== path))
    const neighbour = next ?? previous
    if (neighbour) this.show(neighbour.path)
    else this.close()
  }

  renamed(from: string, to: string): void {
    const renamed = (entry: Entry): Entry => (entry.path === from ? { ...entry, path: to, key: to, name: nameOf(to) } : entry)
    this.#change((entries) => entries.map(renamed))
    this.show(to)
    void this.#read(parentOf(to))
  }

  get #listing() {
    return this.#workspace.use(listingSlice)
  }

  /** The entries of the folder that was shown before are used at once; a folder that was never shown is read. */
  #follow(folder: string | undefined): void {
    this.#reading?.abort()
    if (folder === undefined || this.#folder.peek()?.path === folder) return
    this.#folder.value = this.#listing.knownFolder(folder)
    if (!this.#folder.peek()) void this.#read(folder)
  }

  /** A failure leaves the file without neighbours: it says nothing about the file. */
  async #read(folder: string): Promise<void> {
    this.#reading?.abort()
    const reading = new AbortController()
    this.#reading = reading
    const signal = AbortSignal.any([reading.signal, this.#workspace.signal])
    const state = await fetchListing(folder, { signal, onBeginning: () => {} })
    if (state?.kind === 'folder' && !signal.aborted) this.#set(state)
  }

  #change(work: (entries: readonly Entry[]) => Entry[]): void {
    const folder = this.#folder.peek()
    if (folder) this.#set({ ...folder, entries: work(folder.entries) })
  }

  #set(folder: FolderState): void {
    this.#folder.value = folder
    this.#listing.keepKnown(folder)
  }

  /** Back and *Close* return to the file that was shown last. */
  #keepInOpener(path: string | undefined): void {
    const opener = openerOf()
    if (path === undefined || opener === undefined) return
    const scrollStates = this.#workspace.use(scrollStatesSlice)
    scrollStates.save(opener, { scroll: scrollStates.get(opener)?.scroll ?? 0, focus: path, selected: selectedAfter(path) })
  }
}

export const shownFileSlice = slice('shownFile', (workspace) => new ShownFile(workspace))

/** Opens the page of a file from the listing of its folder. */
export function openFile(path: string): void {
  go(pathOf(path, false), { state: { opener: historyKey() } satisfies FileState })
}

// By touch the next tap would select, in place of opening.
const selectedAfter = (path: string) => (matchMedia('(pointer: coarse)').matches ? [] : [path])

function openerOf(): string | undefined {
  return typeof history === 'undefined' ? undefined : ((history.state as FileState)?.opener ?? undefined)
}

const pathOf = (path: string, isDir: boolean): string => pageOf(path, isDir).slice(baseURL.length)
