import readingStyle from 'holdall:part/editor/reading.css'
import { useEffect } from 'react'
import { fileViewSlice } from '../core/file-view.ts'
import { lazyScreen } from '../core/lazy.tsx'
import { pageSlice } from '../core/page.ts'
import { useRun } from '../core/run.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { CommandButton, ViewerHeader } from '../preview/viewer-header.tsx'
import { Button } from '../ui/button.tsx'
import { view } from '../ui/view.tsx'
import { CodeView } from './code-view.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { LargeView } from './large-view.tsx'
import { StatusBar } from './status-bar.tsx'
import type { TextDocument } from './text-document.ts'
import { useLanguage } from './use-document.ts'

/** A text that is read, in the whole window. @param document undefined for a file without text */
export const DocumentScreen = view(function DocumentScreen({ document }: { document?: TextDocument }) {
  const file = useSlice(fileViewSlice).file.value
  useFilled()
  if (!file) return <div className="pane" aria-busy="true" />
  return (
    <section className="viewer viewer-document" data-region aria-label={file.name} tabIndex={-1}>
      <ViewerHeader
        file={file}
        tools={document && <Tools document={document} />}
        action={document && <EditButton document={document} />}
      />
      {document ? <Content document={document} /> : <LargeView file={file} />}
    </section>
  )
})

const Content = view(function Content({ document }: { document: TextDocument }) {
  return document.mode.value === 'read' ? <Reading document={document} /> : <Source document={document} />
})

const ReadingView = lazyScreen(async () => (await import('./reading-view.tsx')).ReadingView, [readingStyle])

const Reading = view(function Reading({ document }: { document: TextDocument }) {
  return (
    <div className="document">
      <DraftOffer document={document} />
      <ReadingView document={document} />
    </div>
  )
})

const Source = view(function Source({ document }: { document: TextDocument }) {
  const language = useLanguage(document)
  return (
    <div className="document">
      <DraftOffer document={document} />
      <CodeView document={document} takesFocus={document.isDirty.peek()} />
      <StatusBar document={document} language={language} />
    </div>
  )
})

const Tools = view(function Tools({ document }: { document: TextDocument }) {
  const mode = document.mode.value
  return (
    <>
      {document.hasReading() && (
        <div className="segments" role="group" aria-label={t('listing.view')}>
          <Segment label={t('editor.read')} isOn={mode === 'read'} onClick={() => document.setMode('read')} />
          <Segment label={t('editor.source')} isOn={mode === 'source'} onClick={() => document.setMode('source')} />
        </div>
      )}
      <CommandButton id="editor.wrap" isExtra />
      <CommandButton id="editor.find" isExtra />
    </>
  )
})

function Segment({ label, isOn, onClick }: { label: string; isOn: boolean; onClick: () => void }) {
  return (
    <button type="button" className="segment segment-word" aria-pressed={isOn} onClick={onClick}>
      {label}
    </button>
  )
}

const EditButton = view(function EditButton({ document }: { document: TextDocument }) {
  const press = useRun()
  if (!document.mayEdit()) return null
  return <Button kind="primary" icon="pencil" label={t('editor.edit')} onClick={() => press('editor.edit')} />
})

function useFilled(): void {
  const { isFilled } = useSlice(pageSlice)
  useEffect(() => {
    isFilled.value = true
    return () => {
      isFilled.value = false
    }
  }, [isFilled])
}
