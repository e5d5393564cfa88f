import { batch } from '@preact/signals-core'
import { bringsFiles, readDrop } from '../api/read-drop.ts'
import { desktopTarget } from '../core/drag.ts'
import { overlay } from '../core/overlay.ts'
import { user } from '../core/session.ts'
import { currentPath, listingState, sortedEntries } from '../listing/listing.ts'
import { draggedOver, uploadDropped } from './uploads.ts'

/**
 * Takes files that are dragged into the window: over the listing they are uploaded to its folder, elsewhere they are
 * refused, so that a drop beside it never makes the browser leave the page for the file.
 * @returns what ends it
 */
export function followDrops(page: Window): () => void {
  const ending = new AbortController()
  const listen = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
    page.addEventListener(name, listener, { signal: ending.signal })
  listen('dragenter', over)
  listen('dragover', over)
  listen('dragleave', leave)
  listen('drop', drop)
  return () => {
    ending.abort()
    show(undefined, 0)
  }
}

function over(event: DragEvent): void {
  if (!event.dataTransfer || !bringsFiles(event.dataTransfer)) return
  event.preventDefault()
  const target = targetOf(event)
  event.dataTransfer.dropEffect = target === undefined ? 'none' : 'copy'
  show(target, event.dataTransfer.items.length)
}

// Leaving for nowhere is leaving the window; everything else is followed by entering something.
function leave(event: DragEvent): void {
  if (!event.relatedTarget) show(undefined, 0)
}

function drop(event: DragEvent): void {
  show(undefined, 0)
  if (!event.dataTransfer || !bringsFiles(event.dataTransfer)) return
  event.preventDefault()
  const target = targetOf(event)
  if (target !== undefined) void uploadDropped(target, readDrop(event.dataTransfer))
}

/** A folder below the pointer says so itself; otherwise the whole pane does. */
function show(target: string | undefined, count: number): void {
  const isInside = target !== undefined && target !== currentPath.value
  batch(() => {
    desktopTarget.value = isInside ? target : undefined
    draggedOver.value = target === undefined || isInside ? undefined : count
  })
}

/** The folder that files would go into: one in the list that is under the pointer, else the one that is shown. */
function targetOf(event: DragEvent): string | undefined {
  const under = event.target instanceof Element ? event.target : undefined
  const isWelcome = listingState.value.kind === 'folder' && overlay.value.kind === 'none' && (user.value?.perm.create ?? false)
  if (!under?.closest('.pane') || !isWelcome) return undefined
  const index = under.closest<HTMLElement>('[data-entry]')?.dataset.entry
  const entry = index === undefined ? undefined : sortedEntries.value.entries[Number(index)]
  return entry?.isDir && !entry.unreachable ? entry.path : currentPath.value
}
