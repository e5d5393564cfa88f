import { batch } from '@preact/signals-core'
import { bringsFiles, readDrop } from '../api/read-drop.ts'
import { dragSlice } from '../core/drag.ts'
import { entryAt, entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { isSignInAsked } from '../core/session.ts'
import type { Workspace } from '../core/workspace.ts'
import { uploadsSlice } from './uploads-slice.ts'

/**
 * Handles files that are dragged into the window: over the listing they are uploaded to its folder. Elsewhere, and on every other
 * screen, they are refused, because the browser would open the file in place of the page.
 * @returns what stops it
 */
export function followDrops(workspace: Workspace, page: Window): () => void {
  const ending = new AbortController()
  const listen = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
    page.addEventListener(name, listener, { signal: ending.signal })
  listen('dragenter', (event) => over(workspace, event))
  listen('dragover', (event) => over(workspace, event))
  // A drag that leaves the window has no related target; any other is followed by a dragenter.
  listen('dragleave', (event) => event.relatedTarget || show(workspace, undefined, 0))
  listen('drop', (event) => drop(workspace, event))
  return () => {
    ending.abort()
    show(workspace, undefined, 0)
  }
}

function over(workspace: Workspace, event: DragEvent): void {
  if (!event.dataTransfer || !bringsFiles(event.dataTransfer)) return
  event.preventDefault()
  const target = targetOf(workspace, event)
  event.dataTransfer.dropEffect = target === undefined ? 'none' : 'copy'
  show(workspace, target, event.dataTransfer.items.length)
}

function drop(workspace: Workspace, event: DragEvent): void {
  show(workspace, undefined, 0)
  if (!event.dataTransfer || !bringsFiles(event.dataTransfer)) return
  event.preventDefault()
  const target = targetOf(workspace, event)
  if (target !== undefined) void workspace.use(uploadsSlice).uploadDropped(target, readDrop(event.dataTransfer))
}

/** Marks the folder below the pointer, or the whole listing when it is the folder that is shown. */
function show(workspace: Workspace, target: string | undefined, count: number): void {
  const isInside = target !== undefined && target !== workspace.use(entryViewSlice).currentPath.value
  batch(() => {
    workspace.use(dragSlice).desktopTarget.value = isInside ? target : undefined
    workspace.use(uploadsSlice).draggedOver.value = target === undefined || isInside ? undefined : count
  })
}

/** The folder that files would go into: the one below the pointer, else the one that is shown. */
function targetOf(workspace: Workspace, event: DragEvent): string | undefined {
  const view = workspace.use(entryViewSlice)
  const under = event.target instanceof Element ? event.target : undefined
  const isCovered = workspace.use(overlaysSlice).current.value.kind !== 'none' || isSignInAsked.value
  if (!under?.closest('.pane') || isCovered || !view.may('create')) return undefined
  const entry = entryAt(view, under)
  return entry?.isDir && !entry.unreachable ? entry.path : view.currentPath.value
}
