import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWorkspace } from '../core/use-workspace.ts'
import { locale } from '../i18n/locale.ts'
import { t } from '../i18n/t.ts'
import { announceSelected } from '../listing/announced-selection.ts'
import { listMeasures } from '../listing/measures.ts'
import type { RowLayout } from '../listing/row-layout.ts'
import { focusOn, selectOnly, selectRange, toggle } from '../listing/selection.ts'
import { usePaneSize } from '../listing/use-pane-size.ts'
import { useVirtualRows } from '../listing/use-virtual-rows.ts'
import { coveredIn, type VirtualRows } from '../listing/virtual-rows.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { look } from './look.ts'
import { askPurge, openTrashMenu } from './trash-commands.ts'
import type { TrashRow as Row, TrashItems } from './trash-items.ts'
import { TrashRow } from './trash-row.tsx'
import { useTrashKeys } from './use-trash-keys.ts'

const columns = [
  { name: 'name', title: 'listing.name', by: 'name', className: 'column' },
  { name: 'from', title: 'trash.from', by: undefined, className: 'column' },
  { name: 'deleted', title: 'trash.deleted', by: 'date', className: 'column' },
  { name: 'by', title: 'trash.by', by: undefined, className: 'column column-by' },
  { name: 'left', title: 'trash.left', by: undefined, className: 'column' },
  { name: 'size', title: 'listing.size', by: 'size', className: 'column column-size' },
] as const

/** The entries of the trash: a grid with one tab stop. Only the lines near the window are drawn, and read when they are. */
export const TrashGrid = view(function TrashGrid({ items }: { items: TrashItems }) {
  const workspace = useWorkspace()
  const pane = useRef<HTMLDivElement>(null)
  const space = usePaneSize(pane)
  const { entries, indexOf } = items.order.value
  const { total = 0, days = 1 } = items.facts.value ?? {}
  const lines = useMemo(() => flatRows(total), [total])
  const measures = useMemo(
    () => listMeasures(space.rowHeight, space.isPhone, space.unit),
    [space.rowHeight, space.isPhone, space.unit],
  )
  const columnHeaderHeight = space.isPhone ? 0 : space.columnHeaderHeight
  const virtual = useVirtualRows({ pane, lines, measures, height: space.height, columnHeaderHeight, scroll: 0 })
  const { keys, focus } = items.selection.value
  const tabStop = indexOf(focus) ?? 0
  const [wanted, setWanted] = useState<{ key: string }>()
  const reveal = (key: string) => setWanted({ key })
  const open = (row: Row) => look(workspace, items, row)
  const purge = (rows: readonly Row[]) => askPurge(workspace, items, rows)
  const showMenu = (row: Row, at: Point) => openTrashMenu(workspace, items, row, at)
  const keyboard = {
    onKeyDown: useTrashKeys({
      items,
      rowsInView: Math.max(1, Math.floor(space.height / measures.lineHeight) - 1),
      reveal,
      open,
      purge: () => purge(items.selected.value),
      showMenu: (row) => showMenu(row, belowRow(pane.current, row)),
    }),
  }
  const pointer = useTrashPointer({ items, open, purge, showMenu })
  useEffect(() => announceSelected(workspace, { selected: items.selected, shown: items.rows }), [workspace, items])
  useReveal(pane, virtual, { wanted, line: indexOf(wanted?.key) })
  const wantedCount = (virtual.range?.last ?? 0) + 1
  useEffect(() => void items.readTo(wantedCount), [items, wantedCount])
  const first = space.isPhone ? 1 : 2
  return (
    <div className="pane trash" ref={pane} data-region data-selecting={keys.size > 0 || undefined} {...pointer} {...keyboard}>
      <div
        className="list"
        role="grid"
        aria-label={t('title.trash')}
        aria-multiselectable="true"
        aria-rowcount={total + first - 1}
        aria-colcount={columns.length + 1}
      >
        {!space.isPhone && <Headers items={items} />}
        <div className="layout-rows" role="rowgroup" style={{ blockSize: virtual.totalSize }}>
          {space.width > 0 &&
            virtual.drawn(tabStop).map((index) => {
              const row = entries[index]
              if (!row) return null
              return (
                <TrashRow
                  key={row.key}
                  row={row}
                  line={index + first}
                  start={(virtual.edgesOf(index)?.start ?? 0) - virtual.margin}
                  isSelected={keys.has(row.key)}
                  isTabStop={index === tabStop}
                  isNarrow={space.isNarrow}
                  isPhone={space.isPhone}
                  days={days}
                  language={locale.value.code}
                />
              )
            })}
        </div>
      </div>
    </div>
  )
})

type Wanted = { wanted: { key: string } | undefined; line: number | undefined }

/** Scrolls to a row and focuses it, once for each request. */
function useReveal(pane: RefObject<HTMLElement | null>, virtual: VirtualRows, { wanted, line }: Wanted): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request, whatever else is drawn anew
  useLayoutEffect(() => {
    const edges = line === undefined ? undefined : virtual.edgesOf(line)
    if (!edges || !pane.current || !wanted) return
    const top = virtual.nearest(edges, coveredIn(pane.current))
    if (top !== undefined) virtual.scrollTo(pane.current, top)
    const row = pane.current.querySelector<HTMLElement>(`[data-entry="${CSS.escape(wanted.key)}"]`)
    row?.focus({ preventScroll: true, focusVisible: true } as FocusOptions)
  }, [wanted])
}

/** A line for each entry. */
const flatRows = (count: number): RowLayout => ({
  count,
  at: (line) => ({ kind: 'entries', section: 'files', from: line, to: line + 1 }),
  lineOf: (index) => index,
  step: (index) => index,
})

const Headers = view(function Headers({ items }: { items: TrashItems }) {
  const { by: sorted, isAscending } = items.sorting.value
  const direction = isAscending ? 'ascending' : 'descending'
  return (
    <div className="column-headers" role="row" aria-rowindex={1}>
      <div className="list-columns" role="presentation">
        {columns.map(({ name, title, by, className }) => (
          <div
            key={name}
            className={className}
            role="columnheader"
            aria-sort={by === undefined ? undefined : by === sorted ? direction : 'none'}
          >
            {by === undefined ? (
              t(title)
            ) : (
              <button type="button" className="column-button" onClick={() => items.sortBy(by)}>
                {t(title)}
                {by === sorted && <Icon name={isAscending ? 'arrow-up' : 'arrow-down'} small />}
              </button>
            )}
          </div>
        ))}
        <div role="columnheader">
          <span className="visually-hidden">{t('menu.actions')}</span>
        </div>
      </div>
    </div>
  )
})

/** Milliseconds after which a touch is a long press. */
const longPressTime = 500

/** Pixels of the window. */
type Point = { x: number; y: number }

/** Where the menu of a row opens by the keyboard, as in a listing. */
function belowRow(pane: HTMLElement | null, { key }: Row): Point {
  const row = pane?.querySelector(`[data-entry="${CSS.escape(key)}"]`) ?? pane
  const { left = 0, right = 0, bottom = 0 } = row?.getBoundingClientRect() ?? {}
  return { x: locale.value.dir === 'rtl' ? right - 40 : left + 40, y: bottom - 4 }
}

type Pressed = {
  items: TrashItems
  open(row: Row): void
  purge(rows: readonly Row[]): void
  showMenu(row: Row, at: Point): void
}

/** Selection by clicks and taps as in a listing; a double click opens, the right button and a long press open the menu. */
function useTrashPointer({ items, open, purge, showMenu }: Pressed) {
  const isTouch = useRef(false)
  const wasLong = useRef(false)
  const press = useRef<ReturnType<typeof setTimeout>>(undefined)
  const rowAt = (event: MouseEvent) => {
    const key = (event.target as Element).closest<HTMLElement>('[data-entry]')?.dataset.entry
    return items.order.value.entries[items.order.value.indexOf(key) ?? -1]
  }
  const isOn = (event: MouseEvent, part: string) => (event.target as Element).closest(`[data-${part}]`) !== null
  const chosenBy = (event: MouseEvent, { key }: Row) => {
    const { value } = items.selection
    const isAdding = event.ctrlKey || event.metaKey
    if (event.shiftKey) return selectRange(value, items.order.value, key, { add: isAdding })
    return isTouch.current || isAdding || isOn(event, 'check') ? toggle(value, key) : selectOnly(key)
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      isTouch.current = event.pointerType === 'touch'
      wasLong.current = false
      clearTimeout(press.current)
      const row = isTouch.current ? rowAt(event) : undefined
      if (!row) return
      const at = { x: event.clientX, y: event.clientY }
      press.current = setTimeout(() => {
        wasLong.current = true
        showMenu(row, at)
      }, longPressTime)
    },
    onPointerUp: () => clearTimeout(press.current),
    onPointerCancel: () => clearTimeout(press.current),
    onContextMenu: (event: MouseEvent) => {
      const row = rowAt(event)
      // Shift opens the browser's own menu.
      if (!row || event.shiftKey) return
      event.preventDefault()
      if (!isTouch.current) showMenu(row, { x: event.clientX, y: event.clientY })
    },
    onClick: (event: MouseEvent) => {
      const row = rowAt(event)
      // The release after a long press.
      if (wasLong.current) wasLong.current = false
      else if (!row) {
        if (!(event.target as Element).closest('button')) items.clearSelected()
      } else if (isOn(event, 'restore')) void items.restore([row])
      else if (isOn(event, 'purge')) purge([row])
      else if (event.detail < 2) items.selection.value = chosenBy(event, row)
    },
    onDoubleClick: (event: MouseEvent) => {
      const row = rowAt(event)
      if (row && !isTouch.current && !isOn(event, 'check') && !(event.target as Element).closest('button')) open(row)
    },
    onFocus: (event: { target: EventTarget }) => {
      const key = (event.target as Element).closest<HTMLElement>('[data-entry]')?.dataset.entry
      if (key !== undefined) items.selection.value = focusOn(items.selection.value, key)
    },
  }
}
