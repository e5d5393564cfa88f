import type { ComponentProps } from 'react'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { listingSlice } from './listing.ts'

/** Shows the sorting and opens the menu for it, where no column headers are shown. */
export const SortButton = view(function SortButton(props: ComponentProps<'button'>) {
  const listing = useSlice(listingSlice)
  const { by, asc } = listing.sorting.value
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
