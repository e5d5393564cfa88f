import { useState } from 'react'
import { t } from '../i18n/t.ts'
import { Field } from './field.tsx'
import { IconButton } from './icon-button.tsx'

type Props = {
  label: string
  name: string
  autoComplete: 'current-password' | 'new-password' | 'off'
  invalid?: boolean
  autoFocus?: boolean
  /** In a dialog, that the focus begins here. */
  'data-first-focus'?: boolean
}

/** A password, with a button that shows what was typed. */
export function PasswordField({ label, name, autoComplete, invalid = false, ...rest }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      label={label}
      name={name}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      invalid={invalid}
      {...rest}
      after={
        <IconButton
          icon={shown ? 'eye-off' : 'eye'}
          label={t(shown ? 'login.hidePassword' : 'login.showPassword')}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
