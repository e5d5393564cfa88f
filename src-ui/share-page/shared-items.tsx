import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import { useState } from 'react'
import type { SharedResource } from '../../src-server/contract/shares.ts'
import type { SharedPlace } from '../api/shared.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { visibleName } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import type { OnRefused } from './guard-download.ts'
import { hasPicture } from './has-picture.ts'
import { folderAround, pageAddress } from './place.ts'
import { SharedPictures } from './shared-pictures.tsx'
import { SharedRow } from './shared-row.tsx'
import { type ItemOrder, orders, pressed, sortItems } from './sort-items.ts'

export type SharedItem = NonNullable<SharedResource['items']>[number]

/** Rows that are drawn at a time: a folder may have thousands. */
const pageSize = 200

type Props = { place: SharedPlace; items: readonly SharedItem[]; title: string; onRefused: OnRefused }

/** What is in a shared folder: rows, and its pictures below them. */
export const SharedItems = view(function SharedItems({ place, items, title, onRefused }: Props) {
  const [shown, setShown] = useState(pageSize)
  const around = folderAround(place.path)
  const [order, setOrder] = useState<ItemOrder>({ by: 'name', asc: true })
  const drawn = sortItems(items, order).slice(0, shown)
  const pictures = drawn.filter(hasPicture)
  const rows = drawn.filter((item) => !hasPicture(item))
  return (
    <>
      {items.length > 1 && <SortBar order={order} onOrder={setOrder} />}
      {(rows.length > 0 || around !== undefined) && (
        <nav className="share-items" aria-label={title}>
          {around !== undefined && (
            <a className="object share-item" href={pageAddress({ ...place, path: around })}>
              <FileIcon of={{ name: '', isDir: true }} />
              <span>
                {t('share.up', { name: isolate(visibleName(around.slice(around.lastIndexOf('/') + 1)) || t('share.root')) })}
              </span>
            </a>
          )}
          {rows.map((item) => (
            <SharedRow key={item.path} hash={place.hash} item={item} onRefused={onRefused} />
          ))}
        </nav>
      )}
      {pictures.length > 0 && <SharedPictures hash={place.hash} pictures={pictures} onRefused={onRefused} />}
      {items.length === 0 && <p className="field-hint">{t('share.empty')}</p>}
      {items.length > shown && <Button wide label={t('share.more')} onClick={() => setShown(shown + pageSize)} />}
    </>
  )
})

type SortProps = { order: ItemOrder; onOrder: (order: ItemOrder) => void }

/** The names of the columns, which sort by them. */
const SortBar = view(function SortBar({ order, onOrder }: SortProps) {
  return (
    <div className="share-sort">
      {orders.map((by) => (
        <button
          key={by}
          type="button"
          aria-label={
            order.by === by ? t(order.asc ? 'listing.sortedUp' : 'listing.sortedDown', { column: t(`listing.${by}`) }) : undefined
          }
          aria-pressed={order.by === by}
          onClick={() => onOrder(pressed(order, by))}
        >
          {t(`listing.${by}`)}
          {order.by === by && <Arrow isUp={order.asc} />}
        </button>
      ))}
    </div>
  )
})

function Arrow({ isUp }: { isUp: boolean }) {
  const Drawing = isUp ? IconArrowUp : IconArrowDown
  return <Drawing className="icon icon-small" aria-hidden="true" />
}
