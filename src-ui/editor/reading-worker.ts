// A worker that prepares texts for reading: a text that is made to take long can be given up without stopping the page.
import { marked } from 'marked'
import { parseTable } from './parse-table.ts'
import { plainHtml } from './plain-html.ts'
import type { Prepared, ReadingTask } from './prepare-reading.ts'

addEventListener('message', ({ data }: MessageEvent<ReadingTask>) => {
  const answer: Prepared =
    data.kind === 'markdown'
      ? { kind: 'markdown', html: plainHtml(marked.parse(data.text, { async: false, gfm: true })) }
      : { kind: 'table', table: parseTable(data.text, data.name) }
  postMessage(answer)
})
