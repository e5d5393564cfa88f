import { type FocusEvent, type MouseEvent, type PointerEvent, useRef } from 'react'
import type { Entry } from '../core/entries.ts'
import { entryAt } from '../core/entry-view.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { locale } from '../i18n/locale.ts'
import { openEntryMenu, openFolderMenu } from './browse-commands.ts'
import { dragEntries } from './drag-entries.ts'
import { openEntry } from './grid-commands.ts'
import { listingSlice } from './listing.ts'
import { focusOn, selectOnly, selectRange, toggle } from './selection.ts'

/** Milliseconds within which a second click is a double click. */
export const doubleClickTime = 300
/** Milliseconds after which a touch is a long press. */
const longPressTime = 500

/** The pointer handlers of the listing: one set for all entries. */
export function usePointer(beginBand: (down: PointerEvent) => void) {
  const workspace = useWorkspace()
  const listing = workspace.use(listingSlice)
  const isTouch = useRef(false)
  const wasLong = useRef(false)
  const press = useRef<ReturnType<typeof setTimeout>>(undefined)
  const deselection = useRef<ReturnType<typeof setTimeout>>(undefined)

  const onPointerDown = (event: PointerEvent) => {
    if (isInField(event)) return
    isTouch.current = event.pointerType === 'touch'
    wasLong.current = false
    clearTimeout(press.current)
    const entry = entryAt(listing, event.target as Element)
    if (!isTouch.current) return beginDrag(entry, event)
    if (!entry) return
    press.current = setTimeout(() => {
      wasLong.current = true
      listing.selection.value = toggle(listing.selection.value, entry.key)
    }, longPressTime)
  }
  const endPress = () => clearTimeout(press.current)

  const beginDrag = (entry: Entry | undefined, event: PointerEvent) => {
    if (event.button !== 0) return
    if (!entry) {
      if (isEmptySpace(event)) beginBand(event)
    } else if (!isOn(event, 'check', 'more')) {
      const isHeld = listing.selection.value.keys.has(entry.key) || isOnIconOrName(event)
      if (!isHeld) beginBand(event)
      else if (!entry.unreachable) dragEntries(workspace, entry, event)
    }
  }

  const onClick = (event: MouseEvent) => {
    if (isInField(event)) return
    const entry = entryAt(listing, event.target as Element)
    if (!entry) {
      if (isEmptySpace(event)) listing.clearSelected()
      return
    }
    // The link is only for the middle button, the browser's menu and the status line.
    event.preventDefault()
    clearTimeout(deselection.current)
    if (isOn(event, 'more')) return openEntryMenu(workspace, entry, belowOf(event))
    // A second click is part of a double click, unless each of them adds.
    if (wasLong.current || (event.detail > 1 && !listing.isMultiple.value)) return
    if (isTouch.current) tap(workspace, entry, event)
    else click(entry, event)
  }

  const click = (entry: Entry, event: MouseEvent) => {
    const { keys } = listing.selection.value
    const wasSole = keys.size === 1 && keys.has(entry.key)
    if (event.shiftKey)
      listing.selection.value = selectRange(listing.selection.value, listing.sortedEntries.value, entry.key, {
        add: isAdding(event),
      })
    else if (listing.isMultiple.value || isAdding(event) || isOn(event, 'check'))
      listing.selection.value = toggle(listing.selection.value, entry.key)
    else if (wasSole) deselection.current = setTimeout(() => deselect(workspace, entry), doubleClickTime)
    else listing.selection.value = selectOnly(entry.key)
  }

  const onDoubleClick = (event: MouseEvent) => {
    const entry = entryAt(listing, event.target as Element)
    if (!entry || isTouch.current || isInField(event)) return
    if (listing.isMultiple.value || isAdding(event) || event.shiftKey || isOn(event, 'check', 'more')) return
    clearTimeout(deselection.current)
    openEntry(workspace, entry)
  }

  // A long press selects; it must not also open the system's menu for links.
  const onContextMenu = (event: MouseEvent) => {
    if (isInField(event)) return
    const entry = entryAt(listing, event.target as Element)
    clearTimeout(deselection.current)
    if (isTouch.current && entry) event.preventDefault()
    else if (!isTouch.current) showMenu(workspace, entry, event)
  }

  return {
    onPointerDown,
    onPointerUp: endPress,
    onPointerCancel: endPress,
    onClick,
    onDoubleClick,
    onContextMenu,
    onFocus: (event: FocusEvent) => takeFocus(workspace, event),
  }
}

/** Opens the menu of an entry or, on empty space, that of the folder. */
export function showMenu(workspace: Workspace, entry: Entry | undefined, event: MouseEvent): void {
  // Shift opens the browser's own menu.
  if (event.shiftKey || (!entry && !isEmptySpace(event))) return
  event.preventDefault()
  const at = { x: event.clientX, y: event.clientY }
  if (entry) openEntryMenu(workspace, entry, at)
  else openFolderMenu(workspace, at)
}

/** A tap opens an entry; while entries are selected it selects. */
function tap(workspace: Workspace, entry: Entry, event: MouseEvent): void {
  const listing = workspace.use(listingSlice)
  if (listing.isMultiple.value || listing.selection.value.keys.size > 0 || isOn(event, 'check'))
    listing.selection.value = toggle(listing.selection.value, entry.key)
  else openEntry(workspace, entry)
}

/** Makes the focused entry that of the keyboard commands. The focus moves from a pressed link to its row. */
function takeFocus(workspace: Workspace, event: FocusEvent): void {
  const listing = workspace.use(listingSlice)
  const row = (event.target as Element).closest<HTMLElement>('[data-entry]')
  const entry = entryAt(listing, row)
  if (!row || !entry || isInField(event)) return
  if (event.target !== row) row.focus({ preventScroll: true })
  listing.selection.value = focusOn(listing.selection.value, entry.key)
}

function deselect(workspace: Workspace, { key }: Entry): void {
  const listing = workspace.use(listingSlice)
  const { keys } = listing.selection.value
  if (keys.size === 1 && keys.has(key)) listing.clearSelected()
}

/** Whether a press is on the icon or the name, by which entries are dragged. Compares positions, because the link covers the entry. */
function isOnIconOrName(event: MouseEvent): boolean {
  const entry = (event.target as Element).closest('[data-entry]')
  const handles = [...(entry?.querySelectorAll('.file-icon, .tile-picture, .name') ?? [])]
  return handles.some((handle) => isWithin(handle.getBoundingClientRect(), event))
}

const isWithin = ({ left, right, top, bottom }: DOMRect, { clientX: x, clientY: y }: MouseEvent) =>
  x >= left && x <= right && y >= top && y <= bottom

function belowOf(event: MouseEvent): { x: number; y: number } {
  const { left, right, bottom } = (event.target as Element).getBoundingClientRect()
  return { x: locale.value.dir === 'rtl' ? right : left, y: bottom + 4 }
}

// Presses in the rename field are not presses on the row.
const isInField = (event: { target: EventTarget }) => (event.target as Element).closest('input') !== null
const isEmptySpace = (event: MouseEvent) => !(event.target as Element).closest('button, a, input, [role="columnheader"]')
const isAdding = (event: MouseEvent) => event.ctrlKey || event.metaKey
const isOn = (event: MouseEvent, ...parts: ('check' | 'more')[]) =>
  parts.some((part) => (event.target as Element).closest(`[data-${part}]`) !== null)
