/**
 * The roles of a table's elements, written out: where a style shows rows as cards, browsers take the meaning of a table from them, and
 * these roles keep it.
 */
export const tableRoles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHeader: { role: 'columnheader', scope: 'col' },
  groupHeader: { role: 'rowheader', scope: 'rowgroup' },
  cell: { role: 'cell' },
} as const
