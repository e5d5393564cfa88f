import type { ReadonlySignal } from '@preact/signals-core'
import type { Resource } from '../../src-server/contract/files.ts'
import type { Refused } from '../api/http.ts'
import type { Target } from './command.ts'
import type { Entry, SortedEntries } from './entries.ts'
import { type Permission, requiredSlice } from './workspace.ts'

export type ListingState =
  /** Nothing yet. */
  | { kind: 'nothing' }
  | {
      kind: 'folder'
      path: string
      resource: Resource
      entries: readonly Entry[]
      /** When the server began to read it, in milliseconds of its own clock. */
      readAt?: number | undefined
    }
  | { kind: 'file'; path: string; resource: Resource }
  /** The server's status and sentence; status 0 when it was not reached. */
  | ({ kind: 'failed'; path: string; gone?: Gone } & Refused)

/** A folder that was shown is no longer there. `to`: its new path, if it was renamed. */
export type Gone = { to: string | undefined }

export type RevealRequest = {
  key: string
  /** Moves the focus there: with its ring for a person who uses the keyboard, or as the browser decides. */
  focus: 'byKeyboard' | 'quietly' | undefined
}

/**
 * Where entries are shown and chosen. Operations and uploads read it and report to it what has changed; they do not know
 * which feature shows the entries. The listing provides it.
 */
export interface EntryView {
  /** The path that was asked for, decoded and without a slash at its end; `/` is the root. */
  readonly currentPath: ReadonlySignal<string>
  /** What was found last. While another path is awaited it is still that of the path before. */
  readonly state: ReadonlySignal<ListingState>
  /** The wait for `currentPath` lasts long enough to be shown. */
  readonly loading: ReadonlySignal<boolean>
  /** Whether the server reports every change of the shown folder, so that it need not be asked. */
  readonly isLive: ReadonlySignal<boolean>
  readonly sortedEntries: ReadonlySignal<SortedEntries>
  readonly selected: ReadonlySignal<readonly Entry[]>
  /** What a command acts on when nothing else is named: the selection. */
  target(): Target
  isFolderShown(): boolean
  /** Whether this person has a permission, and a folder or what a search has found is shown. */
  may(permission: Permission): boolean
  /** Whether this person has a permission, and a folder or a file is shown. */
  mayOnItems(permission: Permission): boolean
  refresh(): Promise<void>
  /** As `refresh`, for what others have changed: a failure is not reported, and what the person is doing is not disturbed. */
  refreshQuietly(): Promise<void>
  /** Selects entries that have just been added, and scrolls to the first. */
  showNew(paths: readonly string[]): void
  /** Selects these and no others. The focus stays. */
  select(keys: readonly string[]): void
  reveal(key: string, focus?: RevealRequest['focus']): void
  /**
   * Moves the focus to the entry next to those that are gone, unless another one is selected. It is not selected: the next command
   * must not act on an entry that nobody chose.
   */
  focusNeighbour(before: SortedEntries, gone: ReadonlySet<string>): void
}

export const entryViewSlice = requiredSlice<EntryView>('entryView')

/**
 * Notes what is selected when some work begins. @returns whether the person has selected something else since: what the work has brought
 * is not selected then, else the next command would act on what they have not chosen.
 */
export function noteSelection({ selected }: Pick<EntryView, 'selected'>): () => boolean {
  const before = new Set(selected.peek().map(({ key }) => key))
  return () => selected.peek().some(({ key }) => !before.has(key))
}

/** The entry that an element of the page belongs to. Elements carry the key, so that a row that moves keeps its entry. */
export function entryAt(view: EntryView, element: Element | null | undefined): Entry | undefined {
  const { entries, indexOf } = view.sortedEntries.value
  return entries[indexOf(element?.closest<HTMLElement>('[data-entry]')?.dataset.entry) ?? -1]
}
