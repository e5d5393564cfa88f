// The rubber band: the entries that a rectangle over the listing touches, whether they are rendered or not.
import type { RowLayout, Section } from './row-layout.ts'
import type { Selection } from './selection.ts'

/** A rectangle in pixels; x counts from the inline start of the lines, y from the top of the content. */
export type Rectangle = { left: number; right: number; top: number; bottom: number }

/** The horizontal layout of the entries of a line, in pixels. */
export type Spread = { count: number; padding: number; gap: number }

export type BandLayout = {
  lines: RowLayout
  /** The top and bottom of a line in the content. */
  edgesOf(line: number): { top: number; bottom: number }
  /** The width of the lines. */
  width: number
  spreadOf(section: Section): Spread
}

/** The rectangle between two points. */
export function rectangleOf(from: { x: number; y: number }, to: { x: number; y: number }): Rectangle {
  return {
    left: Math.min(from.x, to.x),
    right: Math.max(from.x, to.x),
    top: Math.min(from.y, to.y),
    bottom: Math.max(from.y, to.y),
  }
}

/** The indexes of the entries that a rectangle touches. */
export function touchedBy(band: Rectangle, { lines, edgesOf, width, spreadOf }: BandLayout): number[] {
  const touched: number[] = []
  for (let index = firstBelow(band.top, lines.count, edgesOf); index < lines.count; index++) {
    if (edgesOf(index).top > band.bottom) break
    const line = lines.at(index)
    if (line.kind === 'heading') continue
    const columns = columnsIn(band, width, spreadOf(line.section))
    for (let entry = line.from + columns.from; entry < Math.min(line.to, line.from + columns.to); entry++) touched.push(entry)
  }
  return touched
}

/** The selection while the band is drawn: the touched entries and, with `add`, those selected before. */
export function bandSelection(before: Selection, touched: readonly string[], { add }: { add: boolean }): Selection {
  return { keys: new Set([...(add ? before.keys : []), ...touched]), focus: touched.at(-1) ?? before.focus }
}

// A binary search for the first line that ends below `top`.
function firstBelow(top: number, count: number, edgesOf: BandLayout['edgesOf']): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (edgesOf(middle).bottom < top) low = middle + 1
    else high = middle
  }
  return low
}

/** The touched columns: `from` inclusive, `to` exclusive. */
function columnsIn({ left, right }: Rectangle, width: number, { count, padding, gap }: Spread): { from: number; to: number } {
  const step = (width - 2 * padding + gap) / count
  const end = (column: number) => padding + (column + 1) * step - gap
  const start = (column: number) => padding + column * step
  let from = 0
  while (from < count && end(from) < left) from += 1
  let to = from
  while (to < count && start(to) <= right) to += 1
  return { from, to }
}
