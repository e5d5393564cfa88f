import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { rem } from '../ui/rem.ts'
import { view } from '../ui/view.tsx'
import { Foot } from './foot.tsx'
import type { Table } from './parse-table.ts'

/** A row, a character of a cell, and what is around its text, in sixteenths of a rem. */
const sizes = [32, 7.6, 25] as const

/** A table; only the cells near the window are drawn. */
export const TableView = view(function TableView({ table, name }: { table: Table; name: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [rowHeight, characterWidth, cellPadding] = sizes.map((size) => (size / 16) * rem()) as [number, number, number]
  const numberWidth = String(table.rows.length).length * characterWidth + cellPadding
  const rows = useVirtualizer({
    count: table.rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const columns = useVirtualizer({
    horizontal: true,
    count: table.columns,
    getScrollElement: () => place.current,
    estimateSize: (index) => (table.widths[index] ?? 0) * characterWidth + cellPadding,
    overscan: 4,
  })
  const drawn = columns.getVirtualItems()
  const cell = (row: readonly string[] | undefined, role: 'cell' | 'columnheader') =>
    drawn.map(({ index, start, size }) => (
      <div
        key={index}
        role={role}
        aria-colindex={index + 2}
        className={table.numeric[index] ? 'sheet-cell number' : 'sheet-cell'}
        style={{ insetInlineStart: numberWidth + start, inlineSize: size }}
        title={row?.[index]}
      >
        <bdi>{row?.[index] ?? ''}</bdi>
      </div>
    ))
  const head = table.head ?? Array.from({ length: table.columns }, (_, index) => formatNumber(index + 1))
  return (
    <>
      <div className="sheet-place" tabIndex={0} role="region" aria-label={t('editor.content')} ref={place}>
        <div
          className="sheet"
          role="table"
          aria-label={name}
          aria-rowcount={table.rows.length + 1}
          aria-colcount={table.columns + 1}
          style={{ blockSize: rows.getTotalSize() + rowHeight, inlineSize: columns.getTotalSize() + numberWidth }}
        >
          <div className="sheet-row sheet-head" role="row" aria-rowindex={1}>
            <div className="sheet-number" role="columnheader" aria-colindex={1} style={{ inlineSize: numberWidth }}>
              <span className="visually-hidden">{t('editor.table.row')}</span>
            </div>
            {cell(head, 'columnheader')}
          </div>
          {rows.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              className="sheet-row"
              role="row"
              aria-rowindex={index + 2}
              style={{ insetBlockStart: start + rowHeight }}
            >
              <div className="sheet-number" role="rowheader" aria-colindex={1} style={{ inlineSize: numberWidth }}>
                {formatNumber(index + 1)}
              </div>
              {cell(table.rows[index], 'cell')}
            </div>
          ))}
        </div>
      </div>
      <Foot className="statusbar">
        <span>{t('editor.table.rows', { count: table.rows.length })}</span>
        <span>{t('editor.table.columns', { count: table.columns })}</span>
        <span className="grow" />
        <span>{t('editor.readOnly')}</span>
      </Foot>
    </>
  )
})
