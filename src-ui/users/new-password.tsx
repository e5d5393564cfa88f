import { useId, useState } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { generatePassword } from './strength.ts'
import { StrengthMeter } from './strength-meter.tsx'

type Props = {
  label: string
  value: string
  /** Whose password it is, which it should not contain. */
  username: string
  placeholder?: string | undefined
  error?: string | undefined
  onValue: (value: string) => void
}

/** A new password for somebody: typed or generated, with its strength. A generated one is shown. */
export const NewPassword = view(function NewPassword({ label, value, username, placeholder, error, onValue }: Props) {
  const id = useId()
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
            placeholder={placeholder}
            autoComplete="new-password"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
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
          label={t('users.generate')}
          onClick={() => {
            onValue(generatePassword())
            setShown(true)
          }}
        />
      </span>
      <StrengthMeter password={value} username={username} />
      {error && <FieldError id={`${id}-error`} text={error} />}
    </div>
  )
})
