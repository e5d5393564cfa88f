import { type FormEvent, useId, useState } from 'react'
import { formatDuration } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Art } from '../ui/art.tsx'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { view } from '../ui/view.tsx'

type Props = {
  state: { isWrong?: boolean; wait?: number | undefined }
  onOpen(password: string): Promise<void>
}

/** Asks for the password of a link. */
export const LockedLink = view(function LockedLink({ state: { isWrong = false, wait }, onOpen }: Props) {
  const [isBusy, setBusy] = useState(false)
  const messageId = useId()
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('password')
    if (isBusy || !(field instanceof HTMLInputElement) || field.value === '') return
    setBusy(true)
    await onOpen(field.value)
    setBusy(false)
    field.select()
  }
  const refusal = wait === undefined ? isWrong && t('share.wrong') : t('share.blocked', { time: formatDuration(wait) })
  return (
    <>
      <div className="bag-object">
        <Art name="locked" />
        <div className="bag-title">
          <h1>{t('share.locked')}</h1>
          <p>{t('share.lockedText')}</p>
        </div>
      </div>
      <form className="bag-form" onSubmit={submit} noValidate>
        {refusal && <FieldError id={messageId} text={refusal} />}
        <PasswordField
          label={t('share.password')}
          name="password"
          autoComplete="off"
          problemId={refusal ? messageId : undefined}
          autoFocus
        />
        <Button kind="primary" wide submit busy={isBusy} label={t('share.open')} />
      </form>
    </>
  )
})
