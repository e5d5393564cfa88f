import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useState } from 'react'
import { pageConfig } from '../api/page-config.ts'
import { downloadAddress, previewAddress } from '../api/shared.ts'
import { isolate, t } from '../i18n/t.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { visibleName } from '../ui/file-names.ts'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import { guardDownload, type OnRefused } from './guard-download.ts'
import type { SharedItem } from './shared-items.tsx'

type Props = { hash: string; pictures: readonly SharedItem[]; onRefused: OnRefused }

/** The pictures of a folder as tiles. */
export const SharedPictures = view(function SharedPictures({ hash, pictures, onRefused }: Props) {
  return (
    <ul className="share-pictures" aria-label={t('share.pictures')}>
      {pictures.map((item) => (
        <Tile key={item.path} hash={hash} item={item} onRefused={onRefused} />
      ))}
    </ul>
  )
})

type TileProps = { hash: string; item: SharedItem; onRefused: OnRefused }

const Tile = view(function Tile({ hash, item, onRefused }: TileProps) {
  const { name, path } = item
  const [isBroken, setBroken] = useState(false)
  const named = { name: isolate(visibleName(name)) }
  const picture = isBroken ? (
    <FileIcon of={item} large />
  ) : (
    <img src={previewAddress('thumb', { hash, path })} alt="" loading="lazy" onError={() => setBroken(true)} />
  )
  return (
    <li className="share-tile">
      {pageConfig.ResizePreview && !isBroken ? (
        <a
          className="share-picture"
          href={previewAddress('big', { hash, path })}
          target="_blank"
          rel="noopener"
          aria-label={t('share.show', named)}
        >
          {picture}
        </a>
      ) : (
        <span className="share-picture">{picture}</span>
      )}
      <a
        className="share-tile-name"
        href={downloadAddress({ hash, path })}
        download
        aria-label={t('share.download', named)}
        onClick={guardDownload(onRefused)}
      >
        <FileName name={name} />
        <IconDownload className="icon icon-small" aria-hidden="true" />
      </a>
    </li>
  )
})
