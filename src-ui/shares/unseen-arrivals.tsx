import { useSlice } from '../core/use-workspace.ts'
import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { unseenSlice } from './request-news.ts'

/** How many files have arrived that the person has not seen; nothing when there are none. */
export const UnseenArrivals = view(function UnseenArrivals() {
  const { value } = useSlice(unseenSlice).count
  if (value === 0) return null
  return (
    <span className="tag request-unseen" title={t('requests.unseen', { count: value })}>
      <span aria-hidden="true">{formatNumber(value)}</span>
      <span className="visually-hidden">{t('requests.unseen', { count: value })}</span>
    </span>
  )
})
