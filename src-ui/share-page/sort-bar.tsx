import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { type ItemOrder, orders, pressed } from './sort-items.ts'

type Props = { order: ItemOrder; onOrder: (order: ItemOrder) => void }

/** The names of the columns, which sort by them. */
export const SortBar = view(function SortBar({ order, onOrder }: Props) {
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
