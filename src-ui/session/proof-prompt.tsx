import { useRef, useState } from 'react'
import { overlaysSlice } from '../core/overlay.ts'
import { isWrongPassword } from '../core/proof.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldError } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { view } from '../ui/view.tsx'
import { loginFailureReason } from './login-failure.ts'

/** Asks for one's own password before a change that takes over an account. What was typed below stays. */
export const ProofPrompt = view(function ProofPrompt() {
  const { value } = useSlice(overlaysSlice).current
  return value.kind === 'confirmPassword' ? <OpenPrompt attempt={value.attempt} /> : null
})

const OpenPrompt = view(function OpenPrompt({ attempt }: { attempt: (password: string) => Promise<void> }) {
  const overlays = useSlice(overlaysSlice)
  const { user } = useWorkspace()
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const field = () => fields.current?.querySelector<HTMLInputElement>('input[name=password]')
  const close = () => overlays.close('confirmPassword')
  const submit = async () => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await attempt(field()?.value ?? '')
    } catch (cause) {
      setFailure(cause)
      setBusy(false)
      field()?.select()
    }
  }
  const isWrong = isWrongPassword(failure)
  return (
    <Dialog
      title={t('confirmPassword.title')}
      description={t('confirmPassword.text')}
      onClose={close}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button kind="quiet" label={t('action.cancel')} onClick={close} />
          <Button kind="primary" submit busy={isBusy} label={t('confirmPassword.submit')} />
        </>
      }
    >
      <div className="sign-in-fields" ref={fields}>
        {failure !== undefined && <FieldError text={isWrong ? t('settings.password.wrong') : loginFailureReason(failure)} />}
        {/* For password managers. */}
        <input type="text" autoComplete="username" value={user.value?.username ?? ''} readOnly hidden />
        <PasswordField
          label={t('settings.password.current')}
          name="password"
          autoComplete="current-password"
          invalid={isWrong}
          data-first-focus
        />
      </div>
    </Dialog>
  )
})
