/** How a text is shown to readers: as a document or as a table. */
export type Reading = 'markdown' | 'table'

/** The reading of a file by its name; undefined when it is only shown as text. */
export function readingOf(name: string): Reading | undefined {
  if (/\.(md|markdown|mdown|mkd|mkdn)$/i.test(name)) return 'markdown'
  return /\.(csv|tsv)$/i.test(name) ? 'table' : undefined
}
