import { t } from '../i18n/t.ts'
import { PasswordField } from '../ui/password-field.tsx'
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
export const NewPassword = view(function NewPassword({ username, onValue, ...field }: Props) {
  return (
    <PasswordField
      {...field}
      autoComplete="new-password"
      onChange={(event) => onValue(event.target.value)}
      generating={{ label: t('users.generate'), generate: () => onValue(generatePassword()) }}
    >
      <StrengthMeter password={field.value} username={username} />
    </PasswordField>
  )
})
