import type { ActivityEntry } from './activity-line.ts'

const columns = [
  'time',
  'who',
  'what',
  'path',
  'to',
  'fields',
  'from',
  'way',
  'result',
  'reason',
  'count',
  'act',
  'user',
  'line',
  'trash',
  'sender',
] as const

/** The first line of the table. */
export const csvHead = `${columns.join(',')}\r\n`

/** An entry as a line of RFC 4180. */
export function csvLine(entry: ActivityEntry): string {
  return `${columns.map((name) => cell(entry[name])).join(',')}\r\n`
}

// Programs for tables take a cell that begins with one of these as a formula.
function cell(value: string | number | readonly string[] | undefined): string {
  const text = value === undefined ? '' : String(value)
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
