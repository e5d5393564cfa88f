// Formats the output of the benchmark.
import { median } from './measure.ts'
import type { Result, Row } from './row.ts'

const columns = ['way', 'seconds', 'least to most', 'processor s', 'own MB', 'resident MB', '']
const widths = [24, 9, 18, 13, 8, 13, 0]

/** Megabytes of 1,000,000 bytes. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}

export function titleOf({ name, title, today, reach, rounds }: Row): string {
  return `\n${name}: ${title}\n  today ${today}; reach ${reach}; ${rounds} rounds\n${line(columns)}`
}

export function lineOf({ way, seconds, processor, memory, note }: Result): string {
  const span = seconds.length > 0 ? `${Math.min(...seconds).toFixed(3)} to ${Math.max(...seconds).toFixed(3)}` : ''
  return line([
    way,
    seconds.length > 0 ? median(seconds).toFixed(3) : '',
    span,
    processor?.toFixed(2) ?? '',
    memory ? megabytes(memory.anonymous) : '',
    memory ? megabytes(memory.resident) : '',
    note ?? '',
  ])
}

function line(cells: readonly string[]): string {
  const padded = cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
  return `  ${padded.join('  ')}`.trimEnd()
}
