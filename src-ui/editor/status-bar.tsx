import { formatExactSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { EncodingChoice } from './encoding-choice.tsx'
import type { TextDocument } from './text-document.ts'

const endingNames = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' } as const

/** What the text is written in, and where the cursor is. */
export const StatusBar = view(function StatusBar({
  document,
  language,
}: {
  document: TextDocument
  language: string | undefined
}) {
  const { isLossy, size } = document.file.value
  const { line, column } = document.position.value
  const isEdited = document.mode.value === 'edit'
  const ending = endingNames[document.usualEnding]
  return (
    <footer className="statusbar">
      {isEdited ? <span>{t('editor.position', { line, column })}</span> : <span>{t('editor.readOnly')}</span>}
      {!isEdited && document.isDirty.value && <span className="statusbar-warning">{t('editor.unsaved')}</span>}
      <span>{language ?? t('editor.plainText')}</span>
      {document.drafts.isFailing.value && <span className="statusbar-warning">{t('editor.draftFailing')}</span>}
      {document.saving.isWaiting.value && <span className="statusbar-warning">{t('editor.waiting')}</span>}
      {isLossy && <span className="statusbar-warning">{t('editor.lossy')}</span>}
      <span className="grow" />
      <span className="statusbar-extra">{document.hasOtherEndings ? t('editor.mixedEndings', { ending }) : ending}</span>
      <EncodingChoice document={document} />
      <span className="statusbar-extra">{formatExactSize(size)}</span>
    </footer>
  )
})
