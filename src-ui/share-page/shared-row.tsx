import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { downloadAddress } from '../api/shared.ts'
import { formatDay, formatSize } from '../i18n/format.ts'
import { isolate } from '../i18n/t.ts'
import { FileIcon } from '../ui/file-icon.tsx'
import { visibleName } from '../ui/file-names.ts'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'
import { guardDownload, type OnRefused } from './guard-download.ts'
import { pageAddress } from './place.ts'
import type { SharedItem } from './shared-items.tsx'

type Row = Pick<SharedItem, 'name' | 'isDir' | 'type' | 'size' | 'path'> & { modified?: string; unreachable?: unknown }
type Props = { hash: string; item: Row; onRefused: OnRefused; folder?: string | undefined }

/** A folder, which opens its page, or a file, which is downloaded. `folder`: where it is, for what a search has found. */
export const SharedRow = view(function SharedRow({ hash, item, onRefused, folder }: Props) {
  const { name, isDir, path, modified, unreachable } = item
  const row = (
    <>
      <FileIcon of={item} />
      <span className="object-words">
        <FileName name={name} isDir={isDir} />
        {folder && <small>{isolate(visibleName(folder))}</small>}
      </span>
      {modified && <span className="share-fact share-day">{formatDay(modified)}</span>}
      {(modified || !isDir) && <span className="share-fact">{!isDir && formatSize(item.size)}</span>}
    </>
  )
  if (unreachable !== undefined) return <span className="object share-item">{row}</span>
  if (isDir)
    return (
      <a className="object share-item" href={pageAddress({ hash, path })}>
        {row}
        <IconChevronRight className="icon icon-small icon-mirror" aria-hidden="true" />
      </a>
    )
  return (
    <a className="object share-item" href={downloadAddress({ hash, path })} download onClick={guardDownload(onRefused)}>
      {row}
      <IconDownload className="icon icon-small" aria-hidden="true" />
    </a>
  )
})
