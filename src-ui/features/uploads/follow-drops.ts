import { bringsFiles, readDrop } from '../../api/read-drop.ts'
import { found, here } from '../../state/listing.ts'
import { overlay } from '../../state/overlay.ts'
import { user } from '../../state/session.ts'
import { draggedOver, uploadDropped } from '../../state/uploads.ts'

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
    draggedOver.value = undefined
  }
}

function over(event: DragEvent): void {
  if (!event.dataTransfer || !bringsFiles(event.dataTransfer)) return
  event.preventDefault()
  const isWelcome = isOverListing(event)
  event.dataTransfer.dropEffect = isWelcome ? 'copy' : 'none'
  draggedOver.value = isWelcome ? event.dataTransfer.items.length : undefined
}

// Leaving for nowhere is leaving the window; everything else is followed by entering something.
function leave(event: DragEvent): void {
  if (!event.relatedTarget) draggedOver.value = undefined
}

function drop(event: DragEvent): void {
  draggedOver.value = undefined
  if (!event.dataTransfer || !bringsFiles(event.dataTransfer)) return
  event.preventDefault()
  if (isOverListing(event)) void uploadDropped(here.value, readDrop(event.dataTransfer))
}

function isOverListing(event: DragEvent): boolean {
  const isOnPane = (event.target as Element | null)?.closest?.('.pane') !== null
  return isOnPane && found.value.kind === 'folder' && overlay.value.kind === 'none' && (user.value?.perm.create ?? false)
}
