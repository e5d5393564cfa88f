import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { type ArchiveFormat, archiveFormats } from './download.ts'

type Props = {
  format: ArchiveFormat
  onChoose: (format: ArchiveFormat) => void
  /** Whether the chosen one has the focus at first. */
  hasFocus?: boolean
}

/** The formats of archives, by their endings. */
export const FormatChoice = view(function FormatChoice({ format, onChoose, hasFocus = false }: Props) {
  return (
    <fieldset className="formats">
      <legend className="visually-hidden">{t('prompts.download.format')}</legend>
      {archiveFormats.map(({ name, ending }) => (
        <label key={name} className="format">
          <input
            className="visually-hidden"
            type="radio"
            name="format"
            value={name}
            checked={name === format}
            {...(hasFocus && name === format && { 'data-first-focus': true })}
            onChange={() => onChoose(name)}
          />
          <span dir="ltr">{ending}</span>
        </label>
      ))}
    </fieldset>
  )
})
