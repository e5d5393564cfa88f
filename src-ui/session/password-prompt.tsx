import { type RefObject, useRef, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { loginFailureReason } from '../core/failure-reason.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { user } from '../core/session.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldError } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'
import { PasswordField } from './password-field.tsx'
import { signInAgain } from './sign-in-again.ts'

/** Asks the same user for the password when the session has ended during work, which then goes on. */
export const PasswordPrompt = view(function PasswordPrompt() {
  const overlays = useSlice(overlaysSlice)
  return overlays.current.value.kind === 'password' ? <OpenPrompt /> : null
})

const OpenPrompt = view(function OpenPrompt() {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const name = user.value?.username ?? ''
  const submit = async () => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await signInAgain(workspace, name, passwordIn(fields)?.value ?? '')
    } catch (cause) {
      setFailure(cause)
      setBusy(false)
      passwordIn(fields)?.select()
    }
  }
  return (
    <Dialog
      title={t('password.title')}
      description={t('password.text')}
      onClose={() => overlays.close('password')}
      onSubmit={() => void submit()}
      foot={<Foot isBusy={isBusy} />}
    >
      <div className="password-fields" ref={fields}>
        {failure !== undefined && <FieldError text={loginFailureReason(failure)} />}
        {pageConfig.LoginPage && (
          <PasswordField
            label={t('password.of', { name: isolate(name) })}
            name="password"
            autoComplete="current-password"
            invalid={failure instanceof HttpFailure && failure.status === 403}
          />
        )}
      </div>
    </Dialog>
  )
})

function Foot({ isBusy }: { isBusy: boolean }) {
  const overlays = useSlice(overlaysSlice)
  return (
    <>
      <Button kind="quiet" label={t('password.later')} onClick={() => overlays.close('password')} />
      <Button kind="primary" submit busy={isBusy} label={t('login.submit')} />
    </>
  )
}

const passwordIn = (fields: RefObject<HTMLElement | null>) => fields.current?.querySelector('input')
