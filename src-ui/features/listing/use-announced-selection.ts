import { useEffect, useRef } from 'react'
import { t } from '../../i18n/t.ts'
import { announce } from '../../state/notices.ts'

/** Says how many are selected. One that is selected by moving to it says so itself. */
export function useAnnouncedSelection(count: number): void {
  const before = useRef(count)
  useEffect(() => {
    if (before.current === count) return
    const wasMany = before.current > 1
    before.current = count
    if (count !== 1 || wasMany) announce(t('listing.selected', { count }))
  }, [count])
}
