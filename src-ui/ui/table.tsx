import type { ComponentProps, ReactNode } from 'react'

/** What the head of a column says; hidden, only screen readers read it. */
export type Column = Readonly<{ title: ReactNode; className?: string; hidden?: boolean }>

type Props = ComponentProps<'table'> & { columns: readonly (Column | false)[] }

/**
 * The roles of a table's elements, written out: where a style shows rows as cards, browsers take the meaning of a table from them, and
 * these roles keep it.
 */
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHeader: { role: 'columnheader', scope: 'col' },
  groupHeader: { role: 'rowheader', scope: 'rowgroup' },
  cell: { role: 'cell' },
} as const

/** Rows of one kind below the heads of their columns. Its children are one or several bodies. */
export function Table({ columns, children, ...table }: Props) {
  return (
    <table {...roles.table} {...table}>
      <thead {...roles.group}>
        <Row>
          {columns.map(
            (column, index) =>
              column && (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order
                <th key={index} {...roles.columnHeader} className={column.className}>
                  {column.hidden ? <span className="visually-hidden">{column.title}</span> : column.title}
                </th>
              ),
          )}
        </Row>
      </thead>
      {children}
    </table>
  )
}

export const TableBody = (props: ComponentProps<'tbody'>) => <tbody {...roles.group} {...props} />
export const Row = (props: ComponentProps<'tr'>) => <tr {...roles.row} {...props} />

/** @param label what its column is, shown where rows are cards */
export const Cell = ({ label, ...props }: ComponentProps<'td'> & { label?: string }) => (
  <td {...roles.cell} data-label={label} {...props} />
)

/** The head of the rows below it. */
export const GroupHead = (props: ComponentProps<'th'>) => <th {...roles.groupHeader} {...props} />
