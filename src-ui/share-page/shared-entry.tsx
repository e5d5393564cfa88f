import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useState } from 'react'
import type { SharedResource } from '../../src-server/contract/shares.ts'
import { downloadAddress, previewAddress, type SharedPlace } from '../api/shared.ts'
import { formatDate, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { visibleName } from '../ui/file-names.ts'
import { QrCode } from '../ui/qr-code.tsx'
import { view } from '../ui/view.tsx'
import { addressInPage, guardDownload, type OnRefused } from './guard-download.ts'
import { hasPicture } from './has-picture.ts'
import { pageAddress } from './place.ts'
import { ShareSearch } from './share-search.tsx'
import { SharedItems } from './shared-items.tsx'

type Props = { place: SharedPlace; resource: SharedResource; onRefused: OnRefused }

/** A shared file or folder, with its download. */
export const SharedEntry = view(function SharedEntry({ place, resource, onRefused }: Props) {
  const { name, isDir } = resource
  const title = visibleName(name) || t('share.root')
  const [isSearching, setSearching] = useState(false)
  return (
    <>
      <div className={isDir ? 'object' : 'bag-object'}>
        <Picture place={place} resource={resource} />
        <div className="bag-title">
          <h1>
            <bdi>{title}</bdi>
          </h1>
          <p>{factsOf(resource).join(' · ')}</p>
        </div>
      </div>
      <a
        className="button button-primary button-wide"
        href={addressOf(place, resource)}
        download
        onClick={guardDownload(onRefused)}
      >
        <IconDownload className="icon" aria-hidden="true" />
        <span className="label">{t(isDir ? 'share.downloadFolder' : 'share.downloadFile')}</span>
      </a>
      {isDir && <ShareSearch place={place} onRefused={onRefused} onSearching={setSearching} />}
      {isDir && !isSearching && <SharedItems place={place} items={resource.items ?? []} title={title} onRefused={onRefused} />}
      <SharedCode hasPassword={resource.hasPassword} address={addressInPage(addressOf(place, resource))} place={place} />
    </>
  )
})

/** The picture itself where the server makes one, else the icon of the kind. */
const Picture = view(function Picture({ place, resource }: Omit<Props, 'onRefused'>) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken || !hasPicture(resource)) return <FileIcon of={resource} large />
  const address = previewAddress('big', place)
  return <img className="share-picture-large" src={address} alt="" onError={() => setBroken(true)} />
})

function factsOf({ isDir, size, items = [], expire }: SharedResource): string[] {
  const first = isDir ? t('share.items', { count: items.length }) : formatSize(size)
  return expire === 0 ? [first] : [first, t('share.ends', { date: formatDate(expire * 1000) })]
}

/** With the name at its end, so that programs that go by the address save it under that name. */
function addressOf({ hash, path }: SharedPlace, { isDir, name }: SharedResource): string {
  if (path !== '/') return downloadAddress({ hash, path })
  return downloadAddress({ hash, path: isDir ? '/' : `/${name}` })
}

type CodeProps = {
  hasPassword: boolean
  /** Of the download. */
  address: string
  place: SharedPlace
}

/** The code of the download. A download with a password is asked for on the page. */
const SharedCode = view(function SharedCode({ hasPassword, address, place }: CodeProps) {
  return (
    <div className="qr-box">
      <QrCode text={hasPassword ? addressInPage(pageAddress(place)) : address} label={t('share.qrLabel')} />
      <span className="field-hint">{t(hasPassword ? 'share.qrPage' : 'share.qrDownload')}</span>
    </div>
  )
})
