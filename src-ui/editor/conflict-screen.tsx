import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { fileViewSlice } from '../core/file-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { formatDate } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { Foot } from './foot.tsx'
import { splitEndings } from './line-endings.ts'
import type { FileText } from './text-calls.ts'
import type { TextDocument } from './text-document.ts'
import { useDifferences } from './use-differences.ts'

type Props = { document: TextDocument; theirs: FileText; breadcrumbs: ReactNode }

/** Both versions of a text that was changed on the server meanwhile, and the choice between them. */
export const ConflictScreen = view(function ConflictScreen({ document, theirs, breadcrumbs }: Props) {
  const fileView = useSlice(fileViewSlice)
  const sides = useMemo(
    () => ({
      ...{ before: splitEndings(theirs.text).text, beforeName: t('editor.conflict.theirs') },
      ...{ now: document.text, nowName: t('editor.conflict.mine') },
    }),
    [document, theirs],
  )
  const [place, step] = useDifferences(sides)
  const section = useTakenFocus()
  const [first] = useState(theirs)
  return (
    <section className="editor" aria-label={document.name} data-region tabIndex={-1} ref={section}>
      <div className="pathbar pathbar-editor">
        <h1 className="visually-hidden">{document.name}</h1>
        {breadcrumbs}
        <div className="pathbar-tools">
          <Button kind="quiet" label={t('action.close')} onClick={() => fileView.close()} />
        </div>
      </div>
      <div className="banner" role="alert" key={theirs.version}>
        <Icon name="alert-circle" />
        <p className="banner-text">
          <strong>{t('editor.conflict.title')}</strong>
          {t(theirs === first ? 'editor.conflict.text' : 'editor.conflict.textAgain')}
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
    <Foot className="diff-foot">
      <span className="muted">{t(mayCreate ? 'editor.conflict.kept' : 'editor.conflict.keptInBrowser')}</span>
      {mayCreate && (
        <Button icon="copy" label={t('editor.conflict.copy')} disabled={isBusy} onClick={() => void resolution.saveCopy()} />
      )}
      <Button label={t('editor.conflict.takeTheirs')} disabled={isBusy} onClick={() => void resolution.takeTheirs()} />
      <Button kind="primary" label={t('editor.conflict.keepMine')} busy={isBusy} onClick={() => void resolution.keepMine()} />
    </Foot>
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
