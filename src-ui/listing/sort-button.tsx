import type { ComponentProps } from 'react'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { sorting } from './listing.ts'

/** By what the listing is sorted, and the way to another order where there are no column heads. */
export const SortButton = view(function SortButton(props: ComponentProps<'button'>) {
  const { by, asc } = sorting.value
  const column = t(`listing.${by}`)
  return (
    <button
      {...props}
      type="button"
      className="button button-quiet button-small sort-button"
      title={t('listing.sort', { column })}
    >
      <Icon name={asc ? 'sort-ascending-2' : 'sort-descending-2'} />
      <span className="label">{column}</span>
    </button>
  )
})
