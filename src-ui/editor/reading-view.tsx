import { useEffect, useState } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { view } from '../ui/view.tsx'
import { MarkdownView } from './markdown-view.tsx'
import { type Prepared, prepareReading } from './prepare-reading.ts'
import { readingOf } from './readings.ts'
import { TableView } from './table-view.tsx'
import type { TextDocument } from './text-document.ts'

/** A text as a document or as a table. */
export const ReadingView = view(function ReadingView({ document }: { document: TextDocument }) {
  const prepared = usePrepared(document)
  if (prepared === 'failed')
    return (
      <Empty art="split" title={t('editor.notRead')} text={t('editor.notReadText')}>
        <Button kind="primary" label={t('editor.source')} onClick={() => document.setMode('source')} />
      </Empty>
    )
  if (document.text.trim() === '') return <Empty art="bag" title={t('editor.empty')} text={<bdi>{document.name}</bdi>} />
  if (!prepared) return <div className="pane" aria-busy="true" />
  if (prepared.kind === 'table') return <TableView table={prepared.table} name={document.name} />
  return <MarkdownView html={prepared.html} path={document.path} />
})

function usePrepared(document: TextDocument): Prepared | 'failed' | undefined {
  const [prepared, setPrepared] = useState<Prepared | 'failed'>()
  // A new version of the file is prepared again.
  const { version } = document.file.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each version
  useEffect(() => {
    const kind = readingOf(document.name)
    if (!kind) return
    const stopping = new AbortController()
    prepareReading({ kind, text: document.text, name: document.name }, stopping.signal).then(
      (done) => !stopping.signal.aborted && setPrepared(done),
      () => !stopping.signal.aborted && setPrepared('failed'),
    )
    return () => stopping.abort()
  }, [document, version])
  return prepared
}
