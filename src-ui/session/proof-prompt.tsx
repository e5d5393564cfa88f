import type { Opened } from '../core/overlay.ts'
import { isWrongPassword } from '../core/proof.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { view } from '../ui/view.tsx'
import { loginFailureReason } from './login-failure.ts'
import { PasswordPrompt } from './password-prompt.tsx'

/** Asks for one's own password before a change that takes over an account. What was typed below stays. */
export const ProofPrompt = view(function ProofPrompt({ attempt, onClose }: Opened<'confirmPassword'>) {
  const { user } = useWorkspace()
  return (
    <PasswordPrompt
      title={t('confirmPassword.title')}
      description={t('confirmPassword.text')}
      dismiss={t('action.cancel')}
      submit={t('confirmPassword.submit')}
      onClose={onClose}
      staysWhileBusy
      attempt={(textOf) => attempt(textOf('password'))}
      reason={(failure) => (isWrongPassword(failure) ? t('settings.password.wrong') : loginFailureReason(failure))}
    >
      {(failure, messageId) => (
        <>
          {/* For password managers. */}
          <input type="text" autoComplete="username" value={user.value?.username ?? ''} readOnly hidden />
          <PasswordField
            label={t('settings.password.current')}
            name="password"
            autoComplete="current-password"
            problemId={isWrongPassword(failure) ? messageId : undefined}
            data-first-focus
          />
        </>
      )}
    </PasswordPrompt>
  )
})
