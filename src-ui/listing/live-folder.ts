import { computed, untracked } from '@preact/signals-core'
import { dragSlice } from '../core/drag.ts'
import type { Gone, ListingState } from '../core/entry-view.ts'
import { type FolderMessage, type LiveFollower, liveSlice } from '../core/live.ts'
import { noticesSlice } from '../core/notices.ts'
import { presenceSlice } from '../core/presence.ts'
import type { Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { t } from '../i18n/t.ts'
import { Arrivals } from '../uploads/arrivals.ts'
import { uploadsSlice } from '../uploads/uploads-slice.ts'
import { applyChanges, type ChangeCounts, type Changes, comparerFor } from './apply-changes.ts'
import { type Listing, listingSlice } from './listing.ts'

/** Milliseconds between two listings of a folder whose changes the server is not told. */
const askPause = 15_000
/** With more entries, a second listing right after the first is made only when names have changed. */
const mostReadTwice = 5000
/** With more messages that wait, the folder is listed again instead. */
const mostWaiting = 50
/** Milliseconds for which changes by others are added up before they are announced. */
const announcePause = 1500

/** Follows the shown folder, and asks for it from time to time where the server is not told its changes, or, as for a file, a refresh has failed. */
export function followLive(workspace: Workspace): void {
  const listing = workspace.use(listingSlice)
  const live = workspace.use(liveSlice)
  // Not before the first listing is shown: it matters more.
  const path = computed(() => {
    const { value } = listing.state
    const isFile = value.kind === 'file' && value.path === listing.currentPath.value
    return value.kind === 'nothing' || isFile ? undefined : listing.currentPath.value
  })
  workspace.effect(() => {
    const followed = path.value
    if (followed === undefined) return undefined
    return untracked(() => {
      const folder = new LiveFolder(workspace, followed)
      const stop = live.follow(followed, folder)
      return () => {
        stop()
        folder.end()
      }
    })
  })
  askRegularly(workspace)
}

function askRegularly(workspace: Workspace): void {
  const listing = workspace.use(listingSlice)
  const { isVisible } = workspace.use(presenceSlice)
  const isNeeded = computed(() => {
    const { kind } = listing.state.value
    const isUnsure = listing.isStale.value ? kind === 'file' || kind === 'folder' : kind === 'folder' && !listing.isLive.value
    return isVisible.value && isUnsure
  })
  workspace.effect(() => {
    if (!isNeeded.value) return undefined
    let clear = () => {}
    let isOver = false
    const wait = () => {
      if (!isOver) clear = workspace.timeout(() => void listing.refreshQuietly().then(wait), askPause)
    }
    wait()
    return () => {
      isOver = true
      clear()
    }
  })
}

/** One folder that is shown: applies what the server tells of it. */
class LiveFolder implements LiveFollower {
  readonly #workspace: Workspace
  readonly #listing: Listing
  readonly #path: string
  readonly #refreshes: Arrivals
  readonly #stop: () => void
  /** Messages that came while a listing is on its way, or something is dragged. Applied again after it. */
  #waiting: Changes[] = []
  #isResyncDue = false
  #wasShown = false
  /** The message `following` that was not compared with a listing yet. */
  #began: Began | undefined
  /** The folder is not there, also when a listing on its way finds that out by itself. */
  #absence: Gone | undefined
  #sums: ChangeSums = noChanges
  #clearAnnouncement = () => {}

  constructor(workspace: Workspace, path: string) {
    this.#workspace = workspace
    this.#listing = workspace.use(listingSlice)
    this.#path = path
    this.#refreshes = new Arrivals(workspace)
    const drag = workspace.use(dragSlice)
    const stops = [this.#listing.state, this.#listing.isReading, drag.cancel].map((cause) =>
      cause.subscribe(() => untracked(() => this.#goOn())),
    )
    this.#stop = () => {
      for (const stop of stops) stop()
    }
  }

  end(): void {
    this.#stop()
    this.#clearAnnouncement()
    this.#listing.isLive.value = false
  }

  lost(): void {
    this.#listing.isLive.value = false
    this.#began = undefined
  }

  receive(message: FolderMessage): void {
    if (message.kind === 'following') {
      this.#began = message
      this.#absence = undefined
      this.#listing.isLive.value = message.isComplete
    } else if (message.kind === 'changed') {
      this.#waiting.push(message)
      this.#apply(message)
    } else if (message.kind === 'resync') this.#isResyncDue = true
    else this.#absence = { to: message.to }
    this.#goOn()
  }

  #goOn(): void {
    const folder = this.#shown()
    if (folder) this.#wasShown = true
    if (this.#listing.isReading.peek() || this.#isDragging()) return
    if (this.#absence) {
      this.#showAbsence(this.#absence)
      return
    }
    this.#compare(folder)
    if (this.#waiting.length > mostWaiting) this.#isResyncDue = true
    const waiting = this.#waiting.splice(0)
    for (const changes of waiting) this.#apply(changes)
    if (!this.#isResyncDue || !folder) return
    this.#isResyncDue = false
    this.#refreshes.note(this.#path)
  }

  /** Lists again what may have changed between the listing and the beginning of the watch. */
  #compare(folder: FolderState | undefined): void {
    const began = this.#began
    const state = this.#listing.state.peek()
    if (!began || state.kind === 'nothing' || state.path !== this.#path) return
    this.#began = undefined
    if (!folder) {
      // It was gone, and is back.
      void this.#listing.refreshQuietly()
    } else if (!this.#isUpToDate(folder, began)) this.#isResyncDue = true
  }

  #isUpToDate({ readAt, resource, entries }: FolderState, { since, modified }: Began): boolean {
    const { openedAt } = this.#workspace.use(liveSlice)
    // Times of an earlier run of the server say nothing.
    const isComparable = openedAt !== undefined && this.#listing.readAt >= openedAt
    if (isComparable && readAt !== undefined && readAt >= since) return true
    return entries.length > mostReadTwice && modified !== undefined && resource.modified === modified
  }

  #apply(changes: Changes): void {
    const folder = this.#shown()
    if (!folder || this.#isDragging()) return
    const sorting = folder.resource.sorting ?? { by: 'name', asc: true }
    const applied = applyChanges(folder.entries, changes, comparerFor(sorting, locale.peek().code))
    if (!applied) return
    this.#listing.update({ ...folder, entries: applied.entries })
    this.#announce(applied.counts)
  }

  #showAbsence(gone: Gone): void {
    this.#waiting = []
    this.#isResyncDue = false
    const state = this.#listing.state.peek()
    const isPlainFailure = state.kind === 'failed' && state.path === this.#path && state.status === 404 && !state.gone
    // A path that was opened and never shown keeps the usual message.
    if (!this.#shown() && !(isPlainFailure && this.#wasShown)) return
    this.#listing.update({ kind: 'failed', path: this.#path, status: 404, message: '', gone })
  }

  /** Changes by others are announced together. What this page has done it announces itself, and then lists the folder. */
  #announce(counts: ChangeSums): void {
    this.#sums = sumOf(this.#sums, counts)
    this.#clearAnnouncement()
    const readAt = this.#listing.readAt
    this.#clearAnnouncement = this.#workspace.timeout(() => {
      const isOwn = this.#listing.readAt !== readAt || this.#workspace.use(uploadsSlice).isUploading.peek()
      if (!isOwn) this.#workspace.use(noticesSlice).announce(changeText(this.#sums))
      this.#sums = noChanges
    }, announcePause)
  }

  #isDragging(): boolean {
    return this.#workspace.use(dragSlice).cancel.peek() !== undefined
  }

  #shown(): FolderState | undefined {
    const state = this.#listing.state.peek()
    return state.kind === 'folder' && state.path === this.#path ? state : undefined
  }
}

type Began = Extract<FolderMessage, { kind: 'following' }>
type FolderState = ListingState & { kind: 'folder' }

type ChangeSums = ChangeCounts

const noChanges: ChangeSums = { added: 0, removed: 0, changed: 0 }

const sumOf = (one: ChangeSums, other: ChangeSums): ChangeSums => ({
  added: one.added + other.added,
  removed: one.removed + other.removed,
  changed: one.changed + other.changed,
})

/** What others have changed, for a screen reader: `3 entries added. 1 entry removed.` */
function changeText({ added, removed, changed }: ChangeSums): string {
  return joinSentences(
    added > 0 && t('live.added', { count: added }),
    removed > 0 && t('live.removed', { count: removed }),
    changed > 0 && t('live.changed', { count: changed }),
  )
}
