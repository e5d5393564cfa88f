import Papa from 'papaparse'

/** A table in a text. */
export type Table = {
  /** The first row, when it looks like names of columns. */
  head: readonly string[] | undefined
  rows: readonly (readonly string[])[]
  /** Of the longest row. */
  columns: number
  delimiter: string
  /** Width of each column in characters, from the first rows. */
  widths: readonly number[]
  /** Whether most cells of a column are numbers, from the first rows. */
  numeric: readonly boolean[]
}

/** The first rows decide about widths and numbers. */
const sampleRows = 200
/** Characters of the narrowest and the widest column. */
const [narrowest, widest] = [5, 42]

/** Reads a table whose cells are separated by commas, semicolons, tabs or bars; quoted cells may hold line breaks. */
export function parseTable(text: string, name: string): Table {
  const isTabbed = /\.tsv$/i.test(name)
  const { data, meta } = Papa.parse<string[]>(text, {
    ...(isTabbed && { delimiter: '\t' }),
    delimitersToGuess: [',', ';', '\t', '|'],
    skipEmptyLines: true,
  })
  const [first = [], ...rest] = data
  const hasHead = rest.length > 0 && first.every((cell) => cell.trim() !== '' && !isNumber(cell))
  const rows = hasHead ? rest : data
  const columns = data.reduce((most, row) => Math.max(most, row.length), 0)
  const sample = data.slice(0, sampleRows)
  const indexes = Array.from({ length: columns }, (_, index) => index)
  return {
    head: hasHead ? first : undefined,
    rows,
    columns,
    delimiter: meta.delimiter,
    widths: indexes.map((index) => widthOf(sample, index)),
    numeric: indexes.map((index) => isNumeric(rows.slice(0, sampleRows), index)),
  }
}

function widthOf(sample: readonly (readonly string[])[], index: number): number {
  const longest = sample.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), narrowest)
  return Math.min(longest, widest)
}

function isNumeric(sample: readonly (readonly string[])[], index: number): boolean {
  const cells = sample.map((row) => row[index] ?? '').filter((cell) => cell !== '')
  return cells.length > 0 && cells.filter(isNumber).length > cells.length / 2
}

const isNumber = (cell: string): boolean => /^\s*[-+−]?[\d.,\s]*\d\s*%?\s*$/.test(cell)
