import { type FocusEvent, type MouseEvent, type PointerEvent, useRef } from 'react'
import type { Entry } from '../core/entries.ts'
import { open } from '../core/overlay.ts'
import { locale } from '../i18n/locale.ts'
import { openEntryMenu } from './browse-commands.ts'
import { dragEntries } from './drag-entries.ts'
import { openEntry } from './grid-commands.ts'
import { clearSelected, sortedEntries } from './listing.ts'
import { focusOn, isMultiple, selection, selectOnly, selectRange, toggle } from './selection.ts'

/** Within which a second click is a double click, in milliseconds. */
export const doubleClickTime = 300
/** After which a finger that rests selects. */
const longPressTime = 500

/** What the pointer does in the listing: one set of listeners for all entries. */
export function usePointer(beginBand: (down: PointerEvent) => void) {
  const isTouch = useRef(false)
  const wasLong = useRef(false)
  const press = useRef<ReturnType<typeof setTimeout>>(undefined)
  const deselection = useRef<ReturnType<typeof setTimeout>>(undefined)

  const onPointerDown = (event: PointerEvent) => {
    if (isInField(event)) return
    isTouch.current = event.pointerType === 'touch'
    wasLong.current = false
    clearTimeout(press.current)
    const entry = entryAt(event)
    if (!isTouch.current) return beginDrag(entry, event)
    if (!entry) return
    press.current = setTimeout(() => {
      wasLong.current = true
      selection.value = toggle(selection.value, entry.key)
    }, longPressTime)
  }
  const endPress = () => clearTimeout(press.current)

  const beginDrag = (entry: Entry | undefined, event: PointerEvent) => {
    if (event.button !== 0) return
    if (!entry) {
      if (isEmptySpace(event)) beginBand(event)
    } else if (!isOn(event, 'check', 'more')) {
      const isHeld = selection.value.keys.has(entry.key) || isOnIconOrName(event)
      if (!isHeld) beginBand(event)
      else if (!entry.unreachable) dragEntries(entry, event)
    }
  }

  const onClick = (event: MouseEvent) => {
    if (isInField(event)) return
    const entry = entryAt(event)
    if (!entry) {
      if (isEmptySpace(event)) clearSelected()
      return
    }
    // The link is for the browser's other ways of opening: the middle button, its menu, the status line.
    event.preventDefault()
    clearTimeout(deselection.current)
    if (isOn(event, 'more')) return openEntryMenu(entry, belowOf(event))
    // A second click is part of a double click, unless each of them adds.
    if (wasLong.current || (event.detail > 1 && !isMultiple.value)) return
    if (isTouch.current) tap(entry, event)
    else click(entry, event)
  }

  const click = (entry: Entry, event: MouseEvent) => {
    const { keys } = selection.value
    const wasSole = keys.size === 1 && keys.has(entry.key)
    if (event.shiftKey) selection.value = selectRange(selection.value, sortedEntries.value, entry.key, { add: isAdding(event) })
    else if (isMultiple.value || isAdding(event) || isOn(event, 'check')) selection.value = toggle(selection.value, entry.key)
    else if (wasSole) deselection.current = setTimeout(() => deselect(entry), doubleClickTime)
    else selection.value = selectOnly(entry.key)
  }

  const onDoubleClick = (event: MouseEvent) => {
    const entry = entryAt(event)
    if (!entry || isTouch.current || isInField(event)) return
    if (isMultiple.value || isAdding(event) || event.shiftKey || isOn(event, 'check', 'more')) return
    clearTimeout(deselection.current)
    openEntry(entry)
  }

  // While a finger rests for the selection, the system's menu for links stays away.
  const onContextMenu = (event: MouseEvent) => {
    if (isInField(event)) return
    const entry = entryAt(event)
    clearTimeout(deselection.current)
    if (isTouch.current && entry) event.preventDefault()
    else if (!isTouch.current) showMenu(entry, event)
  }

  return {
    onPointerDown,
    onPointerUp: endPress,
    onPointerCancel: endPress,
    onClick,
    onDoubleClick,
    onContextMenu,
    onFocus: takeFocus,
  }
}

/** The menu of an entry; on empty space, where nothing is selected any more, that of the folder. */
export function showMenu(entry: Entry | undefined, event: MouseEvent): void {
  // With Shift the browser's own menu is to be had.
  if (event.shiftKey || (!entry && !isEmptySpace(event))) return
  event.preventDefault()
  const at = { x: event.clientX, y: event.clientY }
  if (entry) openEntryMenu(entry, at)
  else openFolderMenu(at)
}

function openFolderMenu(at: { x: number; y: number }): void {
  clearSelected()
  open({ kind: 'context', of: 'folder', at })
}

/** A tap opens; while things are selected it selects. */
function tap(entry: Entry, event: MouseEvent): void {
  if (isMultiple.value || selection.value.keys.size > 0 || isOn(event, 'check'))
    selection.value = toggle(selection.value, entry.key)
  else openEntry(entry)
}

/** The keyboard is where the focus is; a pressed link leaves it to its row. */
function takeFocus(event: FocusEvent): void {
  const row = (event.target as Element).closest<HTMLElement>('[data-entry]')
  const entry = row && sortedEntries.value.entries[Number(row.dataset.entry)]
  if (!row || !entry || isInField(event)) return
  if (event.target !== row) row.focus({ preventScroll: true })
  selection.value = focusOn(selection.value, entry.key)
}

function deselect({ key }: Entry): void {
  const { keys } = selection.value
  if (keys.size === 1 && keys.has(key)) clearSelected()
}

function entryAt(event: MouseEvent): Entry | undefined {
  const index = (event.target as Element).closest<HTMLElement>('[data-entry]')?.dataset.entry
  return index === undefined ? undefined : sortedEntries.value.entries[Number(index)]
}

/** Whether a press is on what an entry is dragged by; the rest of it is empty space. The link covers the entry: places count. */
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

// A field in a row is no row: a name is being typed.
const isInField = (event: { target: EventTarget }) => (event.target as Element).closest('input') !== null
const isEmptySpace = (event: MouseEvent) => !(event.target as Element).closest('button, a, input, [role="columnheader"]')
const isAdding = (event: MouseEvent) => event.ctrlKey || event.metaKey
const isOn = (event: MouseEvent, ...parts: ('check' | 'more')[]) =>
  parts.some((part) => (event.target as Element).closest(`[data-${part}]`) !== null)
