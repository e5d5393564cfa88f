import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useState } from 'react'
import type { SharedResource } from '../../src-server/contract/shares.ts'
import { downloadAddress, type SharedPlace } from '../api/shared.ts'
import { formatDate, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import { folderAround, pageAddress } from './place.ts'

type Props = { place: SharedPlace; resource: SharedResource }

/** A shared file or folder, with its download. */
export const SharedThing = view(function SharedThing({ place, resource }: Props) {
  const { name, isDir, type } = resource
  const title = name || t('share.root')
  return (
    <>
      <div className={isDir ? 'object' : 'bag-object'}>
        <FileIcon type={type} isDir={isDir} name={name} large />
        <div className="bag-title">
          <h1>
            <bdi>{title}</bdi>
          </h1>
          <p>{factsOf(resource).join(' · ')}</p>
        </div>
      </div>
      <a className="button button-primary button-wide" href={addressOf(place, resource)} download>
        <IconDownload className="icon" aria-hidden="true" />
        <span className="label">{t(isDir ? 'share.downloadFolder' : 'share.downloadFile')}</span>
      </a>
      {isDir && <Items place={place} resource={resource} title={title} />}
    </>
  )
})

/** Rows that are drawn at a time: a folder may have thousands. */
const pageSize = 200

const Items = view(function Items({ place, resource, title }: Props & { title: string }) {
  const [shown, setShown] = useState(pageSize)
  const items = resource.items ?? []
  const around = folderAround(place.path)
  return (
    <>
      <nav className="share-items" aria-label={title}>
        {around !== undefined && (
          <a className="share-item" href={pageAddress({ ...place, path: around })}>
            <FileIcon type="" isDir name="" />
            <span>{t('share.up', { name: isolate(around.slice(around.lastIndexOf('/') + 1) || t('share.root')) })}</span>
          </a>
        )}
        {items.slice(0, shown).map((item) => (
          <SharedItem key={item.path} place={place} item={item} />
        ))}
      </nav>
      {items.length === 0 && <p className="field-hint">{t('share.empty')}</p>}
      {items.length > shown && <Button wide label={t('share.more')} onClick={() => setShown(shown + pageSize)} />}
    </>
  )
})

type Item = NonNullable<SharedResource['items']>[number]

const SharedItem = view(function SharedItem({ place: { hash }, item }: { place: SharedPlace; item: Item }) {
  const { name, isDir, type, path, unreachable } = item
  const isOpen = unreachable === undefined
  const row = (
    <>
      <FileIcon type={type} isDir={isDir} name={name} />
      <FileName name={name} isDir={isDir} />
      {!isDir && <span className="share-fact">{formatSize(item.size)}</span>}
    </>
  )
  if (!isOpen) return <span className="share-item">{row}</span>
  if (isDir)
    return (
      <a className="share-item" href={pageAddress({ hash, path })}>
        {row}
        <IconChevronRight className="icon icon-small icon-mirror" aria-hidden="true" />
      </a>
    )
  return (
    <a className="share-item" href={downloadAddress({ hash, path })} download>
      {row}
      <IconDownload className="icon icon-small" aria-hidden="true" />
    </a>
  )
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
