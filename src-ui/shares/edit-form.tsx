import { useEffect } from 'react'
import type { Share } from '../../src-server/contract/shares.ts'
import { t } from '../i18n/t.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field, useRefusedFocus } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'
import type { EditDraft } from './edited-link.ts'
import { LinkPassword } from './link-password.tsx'
import { isTooShort } from './new-link.ts'

type Props = {
  share: Share
  draft: EditDraft
  onDraft: (draft: EditDraft) => void
  /** In a dialog that is open already; one that opens gives the focus itself. */
  takesFocus?: boolean
}

/** Note and password of a link that is there. */
export const EditForm = view(function EditForm({ share: { hasPassword }, draft, onDraft, takesFocus = false }: Props) {
  const isRefused = draft.isRefused === true && isTooShort(draft.password)
  const fields = useRefusedFocus<HTMLDivElement>(isRefused)
  useEffect(() => {
    if (takesFocus) fields.current?.querySelector('input')?.focus()
  }, [takesFocus, fields])
  return (
    <div className="link-form" ref={fields}>
      <Field
        label={t('shares.note')}
        hint={t('shares.noteHint')}
        dir="auto"
        maxLength={500}
        autoComplete="off"
        value={draft.note}
        onChange={(event) => onDraft({ ...draft, note: event.target.value })}
      />
      <LinkPassword
        label={t(hasPassword ? 'shares.newPassword' : 'shares.password')}
        hint={t(hasPassword ? 'shares.passwordKept' : 'shares.passwordHint')}
        value={draft.password}
        disabled={draft.isRemoved}
        isRefused={isRefused}
        onValue={(password) => onDraft({ ...draft, password })}
      />
      {hasPassword && (
        <Checkbox
          label={t('shares.removePassword')}
          isOn={draft.isRemoved}
          onChange={(isRemoved) => onDraft({ ...draft, isRemoved, password: '' })}
        />
      )}
    </div>
  )
})
