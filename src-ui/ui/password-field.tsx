import { useState } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from './button.tsx'
import { Field, type FieldProps } from './field.tsx'
import { IconButton } from './icon-button.tsx'

type Props = Omit<FieldProps, 'type' | 'after' | 'beside'> & {
  autoComplete: 'current-password' | 'new-password' | 'off'
  /** In a dialog, that the focus begins here. */
  'data-first-focus'?: boolean
  /** A button that fills the field with a new password, which is shown. */
  generating?: { label: string; generate: () => void }
}

/** A password, with a button that shows what was typed. */
export function PasswordField({ generating, ...field }: Props) {
  const [isShown, setShown] = useState(false)
  const { value, disabled } = field
  return (
    <Field
      autoCapitalize="none"
      spellCheck={false}
      {...field}
      type={isShown ? 'text' : 'password'}
      className={isShown && value ? 'input-code' : ''}
      after={
        <IconButton
          icon={isShown ? 'eye-off' : 'eye'}
          label={t(isShown ? 'login.hidePassword' : 'login.showPassword')}
          onClick={() => setShown(!isShown)}
        />
      }
      beside={
        generating && (
          <Button
            icon="dice-5"
            label={generating.label}
            disabled={disabled}
            onClick={() => {
              generating.generate()
              setShown(true)
            }}
          />
        )
      }
    />
  )
}
