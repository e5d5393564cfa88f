import type { ReactNode } from 'react'
import { CommandMenu } from '../core/command-menu.tsx'
import { fileViewSlice } from '../core/file-view.ts'
import { showChord } from '../core/key-names.ts'
import { useRun } from '../core/run.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { CommandButton } from '../preview/viewer-header.tsx'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { CodeView } from './code-view.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { StatusBar } from './status-bar.tsx'
import type { TextDocument } from './text-document.ts'
import { useLanguage } from './use-document.ts'

type Props = { document: TextDocument; breadcrumbs: ReactNode }

/** A text that is being edited. */
export const EditScreen = view(function EditScreen({ document, breadcrumbs }: Props) {
  const language = useLanguage(document)
  return (
    <section className="editor" aria-label={document.name} data-region tabIndex={-1}>
      <EditBar document={document} breadcrumbs={breadcrumbs} />
      <DraftOffer document={document} />
      <CodeView document={document} takesFocus />
      <StatusBar document={document} language={language} />
    </section>
  )
})

const EditBar = view(function EditBar({ document, breadcrumbs }: Props) {
  const fileView = useSlice(fileViewSlice)
  const press = useRun()
  return (
    <div className="pathbar pathbar-editor">
      <h1 className="visually-hidden">{document.name}</h1>
      {breadcrumbs}
      <UnsavedMark document={document} />
      <div className="pathbar-tools">
        <CommandButton id="editor.find" isExtra />
        <CommandButton id="info" isExtra />
        <CommandMenu place="viewer" label={t('menu.more')}>
          <IconButton icon="dots-vertical" label={t('menu.more')} />
        </CommandMenu>
        <span className="divider" />
        {document.hasReading() && <Button kind="quiet" label={t('editor.read')} onClick={() => press('editor.read')} />}
        <Button kind="quiet" label={t('action.close')} onClick={() => fileView.close()} />
        <Button
          kind="primary"
          icon="device-floppy"
          label={t('editor.save')}
          title={`${t('editor.save')} (${showChord('Mod+S')})`}
          busy={document.saveState.isSaving.value}
          onClick={() => press('editor.save')}
        />
      </div>
    </div>
  )
})

const UnsavedMark = view(function UnsavedMark({ document }: { document: TextDocument }) {
  return (
    <span role="status">
      {document.isDirty.value && (
        <span className="unsaved-mark" title={t('editor.unsaved')}>
          <span className="dot" />
          <span className="label">{t('editor.unsaved')}</span>
        </span>
      )}
    </span>
  )
})
