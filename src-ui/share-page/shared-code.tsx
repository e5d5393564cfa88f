import type { SharedPlace } from '../api/shared.ts'
import { t } from '../i18n/t.ts'
import { QrCode } from '../ui/qr-code.tsx'
import { view } from '../ui/view.tsx'
import { addressInPage } from './guard-download.ts'
import { pageAddress } from './place.ts'

type Props = {
  hasPassword: boolean
  /** Of the download. */
  address: string
  place: SharedPlace
}

/** The code of the download. A download with a password is asked for on the page. */
export const SharedCode = view(function SharedCode({ hasPassword, address, place }: Props) {
  return (
    <div className="qr-box">
      <QrCode text={hasPassword ? addressInPage(pageAddress(place)) : address} label={t('share.qrLabel')} />
      <span className="field-hint">{t(hasPassword ? 'share.qrPage' : 'share.qrDownload')}</span>
    </div>
  )
})
