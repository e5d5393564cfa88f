import type { ReactNode } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'

type Props = { isBusy: boolean; isChanged: boolean; disabled?: boolean }

/** The *Update* of a card, and whether something in the card is not saved yet. */
export const Update = view(function Update({ isBusy, isChanged, disabled = false }: Props) {
  return (
    <>
      <Button kind="primary" submit busy={isBusy} disabled={disabled} label={t('settings.update')} />
      {isChanged && <FootNote icon="pencil">{t('settings.unsaved')}</FootNote>}
    </>
  )
})

/** What stands in the place of *Update* in a card without one. */
export const AtOnce = view(function AtOnce() {
  return (
    <div className="form-foot">
      <FootNote icon="circle-check">{t('settings.view.text')}</FootNote>
    </div>
  )
})

function FootNote({ icon, children }: { icon: 'pencil' | 'circle-check'; children: ReactNode }) {
  return (
    <span className="foot-note">
      <Icon name={icon} small />
      {children}
    </span>
  )
}
