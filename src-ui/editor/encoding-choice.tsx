import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { describeEncoding, encodings, nameOfEncoding } from './encodings.ts'
import type { TextDocument } from './text-document.ts'

/** The encoding that the text was read in, and the choice of another one when it was guessed wrong. */
export const EncodingChoice = view(function EncodingChoice({ document }: { document: TextDocument }) {
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
        disabled={isDirty || document.saving.isSaving.value}
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
