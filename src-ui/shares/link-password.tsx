import { pageConfig } from '../api/page-config.ts'
import { t } from '../i18n/t.ts'
import { PasswordField } from '../ui/password-field.tsx'
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
  const short = t('users.strength.short', { count: pageConfig.LinkPasswordLength })
  const said = isTooShort(value) ? short : value ? t('shares.passwordNoteHint') : hint
  return (
    <PasswordField
      label={label}
      hint={isRefused ? undefined : said}
      error={isRefused ? short : undefined}
      value={value}
      disabled={disabled}
      maxLength={1024}
      autoComplete="new-password"
      onChange={(event) => onValue(event.target.value)}
      generating={{ label: t('shares.generate'), generate: () => onValue(generatePassword()) }}
    />
  )
})
