import { goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { fileViewSlice } from '../core/file-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatDate } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { viewing, wrapping } from './code-setup.ts'
import { splitEndings } from './line-endings.ts'
import type { FileText } from './text-calls.ts'
import type { TextDocument } from './text-document.ts'

type Props = { document: TextDocument; theirs: FileText; breadcrumbs: ReactNode }

/** The width below which the two versions do not fit beside each other, in pixels: they are one text with its differences. */
const narrow = '(max-width: 46em)'

/** Both versions of a text that was changed on the server meanwhile, and the choice between them. */
export const ConflictScreen = view(function ConflictScreen({ document, theirs, breadcrumbs }: Props) {
  const fileView = useSlice(fileViewSlice)
  const isNarrow = matchMedia(narrow).matches
  const [place, step] = useDifferences({ document, theirs, isNarrow })
  const section = useTakenFocus()
  return (
    <section className="editor" aria-label={document.name} data-region tabIndex={-1} ref={section}>
      <div className="pathbar pathbar-editor">
        <h1 className="visually-hidden">{document.name}</h1>
        {breadcrumbs}
        <div className="pathbar-tools">
          <Button kind="quiet" label={t('action.close')} onClick={() => fileView.close()} />
        </div>
      </div>
      <div className="banner" role="alert">
        <Icon name="alert-circle" />
        <p className="banner-text">
          <strong>{t('editor.conflict.title')}</strong>
          {t('editor.conflict.text')}
        </p>
      </div>
      <div className="diff-heads">
        <div className="diff-head">
          <h2>{t('editor.conflict.theirs')}</h2>
          <bdi className="muted">{formatDate(theirs.modified)}</bdi>
        </div>
        <div className="diff-head">
          <h2>{t('editor.conflict.mine')}</h2>
          <span className="muted">{t('editor.unsaved')}</span>
          <IconButton small smallIcon icon="chevron-up" label={t('editor.conflict.previous')} onClick={() => step(-1)} />
          <IconButton small smallIcon icon="chevron-down" label={t('editor.conflict.next')} onClick={() => step(1)} />
        </div>
      </div>
      <div className="diff" ref={place} />
      <Choice document={document} />
    </section>
  )
})

const Choice = view(function Choice({ document }: { document: TextDocument }) {
  const workspace = useWorkspace()
  const { resolution } = document.saveState
  const isBusy = resolution.isBusy.value
  const mayCreate = workspace.may('create')
  return (
    <footer className="diff-foot">
      <span className="muted">{t(mayCreate ? 'editor.conflict.kept' : 'editor.conflict.keptInBrowser')}</span>
      {mayCreate && (
        <Button icon="copy" label={t('editor.conflict.copy')} disabled={isBusy} onClick={() => void resolution.saveCopy()} />
      )}
      <Button label={t('editor.conflict.takeTheirs')} disabled={isBusy} onClick={() => void resolution.takeTheirs()} />
      <Button kind="primary" label={t('editor.conflict.keepMine')} busy={isBusy} onClick={() => void resolution.keepMine()} />
    </footer>
  )
})

/** Takes the focus of the text that was shown before, or of a dialog over it. */
function useTakenFocus() {
  const section = useRef<HTMLElement>(null)
  const isFree = useSlice(overlaysSlice).current.value.kind === 'none'
  useEffect(() => {
    const { activeElement, body } = document
    if (isFree && (activeElement === body || activeElement?.id === 'main')) section.current?.focus({ preventScroll: true })
  }, [isFree])
  return section
}

type ComparedTexts = { document: TextDocument; theirs: FileText; isNarrow: boolean }

/** Draws the differences into an element. @returns its reference, and what goes to the next or previous difference */
function useDifferences({ document, theirs, isNarrow }: ComparedTexts) {
  const place = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<EditorView>()
  useEffect(() => {
    if (!place.current) return
    const parent = place.current
    const [other, own] = [splitEndings(theirs.text).text, document.text]
    const isFixed = [EditorState.readOnly.of(true), wrapping(isNarrow)]
    if (isNarrow) {
      const unified = unifiedMergeView({ original: other, mergeControls: false, gutter: true })
      const only = new EditorView({ doc: own, parent, extensions: [viewing(t('editor.conflict.mine')), isFixed, unified] })
      setShown(only)
      return () => only.destroy()
    }
    const merge = new MergeView({
      a: { doc: other, extensions: [viewing(t('editor.conflict.theirs')), isFixed] },
      b: { doc: own, extensions: [viewing(t('editor.conflict.mine')), isFixed] },
      parent,
      gutter: false,
    })
    setShown(merge.b)
    return () => merge.destroy()
  }, [document, theirs, isNarrow])
  const step = (by: 1 | -1) => {
    if (!shown) return
    const move = by === 1 ? goToNextChunk : goToPreviousChunk
    move(shown)
    shown.focus()
  }
  return [place, step] as const
}
