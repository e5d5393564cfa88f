// The rubber band: which entries a rectangle over the listing touches, drawn or not.
import type { RowLayout, Section } from './row-layout.ts'
import type { Selection } from './selection.ts'

/** A rectangle, in pixels; x counts from the side where a line begins, y from the top of the listing's content. */
export type Rectangle = { left: number; right: number; top: number; bottom: number }

/** How the entries of a line stand side by side, in pixels. */
export type Spread = { count: number; padding: number; gap: number }

export type BandLayout = {
  lines: RowLayout
  /** Where a line stands, from the top of the content. */
  edgesOf(line: number): { top: number; bottom: number }
  /** Of the lines. */
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

/** The places of the entries that a rectangle touches, in the order. */
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

/** What is selected while the band is drawn: what it touches and, with Ctrl, what was selected before. */
export function bandSelection(before: Selection, touched: readonly string[], { add }: { add: boolean }): Selection {
  return { keys: new Set([...(add ? before.keys : []), ...touched]), focus: touched.at(-1) ?? before.focus }
}

// The lines stand in order: halving finds the first that ends below the top.
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

/** From the first touched column up to and without the last. */
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
