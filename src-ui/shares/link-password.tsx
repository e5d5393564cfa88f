import { useId, useState } from 'react'
import { pageConfig } from '../api/page-config.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { generatePassword } from '../users/strength.ts'
import { isTooShort } from './new-link.ts'

type Props = {
  label: string
  /** What is said below the field while it is empty. */
  hint: string
  value: string
  disabled?: boolean
  /** Whether it was too short to be sent. */
  isRefused?: boolean
  onValue: (value: string) => void
}

/** The password of a link: none, typed or generated. A generated one is shown. */
export const LinkPassword = view(function LinkPassword(props: Props) {
  const { label, hint, value, disabled = false, isRefused = false, onValue } = props
  const id = useId()
  const short = t('users.strength.short', { count: pageConfig.LinkPasswordLength })
  const [isShown, setShown] = useState(false)
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <span className="field-line">
        <span className="input-with">
          <input
            id={id}
            className={isShown && value ? 'input input-code' : 'input'}
            type={isShown ? 'text' : 'password'}
            value={value}
            disabled={disabled}
            maxLength={1024}
            autoComplete="new-password"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={isRefused || undefined}
            aria-describedby={`${id}-hint`}
            onChange={(event) => onValue(event.target.value)}
          />
          <IconButton
            icon={isShown ? 'eye-off' : 'eye'}
            label={t(isShown ? 'login.hidePassword' : 'login.showPassword')}
            onClick={() => setShown(!isShown)}
          />
        </span>
        <Button
          icon="dice-5"
          label={t('shares.generate')}
          disabled={disabled}
          onClick={() => {
            onValue(generatePassword())
            setShown(true)
          }}
        />
      </span>
      {isRefused ? (
        <FieldError id={`${id}-hint`} text={short} />
      ) : (
        <p className="field-hint" id={`${id}-hint`}>
          {isTooShort(value) ? short : value ? t('shares.passwordNoteHint') : hint}
        </p>
      )}
    </div>
  )
})
