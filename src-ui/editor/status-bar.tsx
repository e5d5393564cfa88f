import { formatExactSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { describeEncoding, encodings, nameOfEncoding } from './encodings.ts'
import { Foot } from './foot.tsx'
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
    <Foot className="statusbar">
      {isEdited ? <span>{t('editor.position', { line, column })}</span> : <span>{t('editor.readOnly')}</span>}
      {!isEdited && document.isDirty.value && <span className="statusbar-warning">{t('editor.unsaved')}</span>}
      <span>{language ?? t('editor.plainText')}</span>
      {document.drafts.isFailing.value && <span className="statusbar-warning">{t('editor.draftFailing')}</span>}
      {document.saveState.isWaiting.value && <span className="statusbar-warning">{t('editor.waiting')}</span>}
      {isLossy && <span className="statusbar-warning">{t('editor.lossy')}</span>}
      <span className="grow" />
      <span className="statusbar-extra">{document.hasOtherEndings ? t('editor.mixedEndings', { ending }) : ending}</span>
      <EncodingChoice document={document} />
      <span className="statusbar-extra">{formatExactSize(size)}</span>
    </Foot>
  )
})

/** The encoding that the text was read in, and the choice of another one when it was guessed wrong. */
const EncodingChoice = view(function EncodingChoice({ document }: { document: TextDocument }) {
  const { encoding, hasMark } = document.file.value
  const isDirty = document.isDirty.value
  const name = nameOfEncoding(encoding)
  const label = t('editor.encoding')
  return (
    <span className="statusbar-choice">
      <span aria-hidden="true">{hasMark && encoding === 'utf-8' ? t('editor.withMark', { encoding: name }) : name}</span>
      <select
        aria-label={label}
        title={isDirty ? t('editor.encodingUnsaved') : label}
        value={encoding}
        disabled={isDirty || document.saveState.isSaving.value}
        onChange={(event) => void document.readAgainIn(event.target.value)}
      >
        {encodings.map((one) => (
          <option key={one} value={one}>
            {describeEncoding(one)}
          </option>
        ))}
      </select>
    </span>
  )
})
