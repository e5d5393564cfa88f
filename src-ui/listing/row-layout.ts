export type Section = 'folders' | 'files'

/** A line of the listing: the heading of a section, or the entries side by side. */
export type LayoutRow =
  | { kind: 'heading'; section: Section; count: number }
  /** The entries with the indexes `from` (inclusive) to `to` (exclusive). */
  | { kind: 'entries'; section: Section; from: number; to: number }

/** The number of columns in each section. */
export type Columns = Record<Section, number>

/** The listing as lines, which are computed on demand: 100,000 entries cost as much as ten. */
export type RowLayout = {
  count: number
  at(line: number): LayoutRow
  /** The line that holds an entry. */
  lineOf(index: number): number
  /** The entry one step away, or the same at the edge. */
  step(index: number, direction: Direction): number
}

/** To the next or previous entry, or to the line above or below. */
export type Direction = 'next' | 'previous' | 'down' | 'up'

/** The numbers of entries and folders. */
type Counted = { entries: { readonly length: number }; folders: number }
type Block = { section: Section; first: number; start: number; size: number; width: number; rows: number }

export function layoutRows({ entries, folders }: Counted, columns: Columns): RowLayout {
  const blocks = blocksOf({ folders, files: entries.length - folders }, columns)
  const last = blocks.at(-1)
  const count = last ? last.start + last.rows + 1 : 0
  const blockOfLine = (line: number) => blocks.findLast((block) => block.start <= line) as Block
  const blockOfEntry = (index: number) => blocks.findLast((block) => block.first <= index) as Block
  const lineOf = (index: number) => rowOf(blockOfEntry(index), index) + blockOfEntry(index).start + 1

  const at = (line: number): LayoutRow => {
    const block = blockOfLine(line)
    const { section, size, first, start, width } = block
    if (line === start) return { kind: 'heading', section, count: size }
    const from = first + (line - start - 1) * width
    return { kind: 'entries', section, from, to: Math.min(from + width, first + size) }
  }

  const sideways = (index: number, by: 1 | -1) => Math.max(0, Math.min(entries.length - 1, index + by))
  const vertical = (index: number, by: 1 | -1): number => {
    const block = blockOfEntry(index)
    const column = (index - block.first) % block.width
    const line = at(nextEntries(lineOf(index), by))
    return line.kind === 'entries' ? Math.min(line.from + column, line.to - 1) : index
  }
  // Headings are skipped. At the first and the last line the position stays.
  const nextEntries = (line: number, by: 1 | -1): number => {
    const next = line + by
    if (next < 1 || next >= count) return line
    return at(next).kind === 'heading' ? next + by : next
  }
  const step = (index: number, direction: Direction) => {
    if (direction === 'next' || direction === 'previous') return sideways(index, direction === 'next' ? 1 : -1)
    return vertical(index, direction === 'down' ? 1 : -1)
  }
  return { count, at, lineOf, step }
}

function blocksOf(sizes: Columns, columns: Columns): Block[] {
  const blocks: Block[] = []
  for (const section of ['folders', 'files'] as const) {
    const size = sizes[section]
    const before = blocks.at(-1)
    const width = columns[section]
    const start = before ? before.start + before.rows + 1 : 0
    if (size > 0) blocks.push({ section, first: before?.size ?? 0, start, size, width, rows: Math.ceil(size / width) })
  }
  return blocks
}

const rowOf = (block: Block, index: number): number => Math.floor((index - block.first) / block.width)
