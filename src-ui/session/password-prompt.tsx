import { type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldError } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'

type Props = Readonly<{
  title: string
  description: string
  /** The label of the button that closes the prompt. */
  dismiss: string
  submit: string
  onClose: () => void
  /** Stays open while an attempt runs, because that cannot be taken back. */
  staysWhileBusy?: boolean
  /** Gets the text of a field by its name. Throws while the prompt is to stay open. */
  attempt: (textOf: (name: string) => string) => Promise<void>
  /** The sentence for a failed attempt. */
  reason: (failure: unknown) => string
  /** The fields; after an attempt with its failure, and the id of the sentence for it. The one named `password` is selected then. */
  children: (failure: unknown, messageId: string) => ReactNode
}>

/** A prompt with a password, which stays until an attempt succeeds or the person closes it. */
export const PasswordPrompt = view(function PasswordPrompt({ attempt, reason, children, ...texts }: Props) {
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const messageId = useId()
  const fields = useRef<HTMLDivElement>(null)
  const field = (name: string) => fields.current?.querySelector<HTMLInputElement>(`input[name=${name}]`)
  const submit = async () => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await attempt((name) => field(name)?.value ?? '')
    } catch (cause) {
      setFailure(cause)
      field('password')?.select()
    } finally {
      setBusy(false)
    }
  }
  const onClose = () => {
    if (!isBusy || !texts.staysWhileBusy) texts.onClose()
  }
  return (
    <Dialog
      title={texts.title}
      description={texts.description}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button kind="quiet" label={texts.dismiss} onClick={onClose} />
          <Button kind="primary" submit busy={isBusy} label={texts.submit} />
        </>
      }
    >
      <div className="sign-in-fields" ref={fields}>
        {failure !== undefined && <FieldError id={messageId} text={reason(failure)} />}
        {children(failure, messageId)}
      </div>
    </Dialog>
  )
})
