import { useState } from 'react'
import { activityAddress } from '../api/addresses.ts'
import { startDownload } from '../api/download.ts'
import { assertServed } from '../api/http.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import { view } from '../ui/view.tsx'
import { type Filters, queryOf } from './filters.ts'

/** Exports what fits the filters. The browser downloads it, so that it never is in the memory of the page. */
export const ExportMenu = view(function ExportMenu({ filters }: { filters: Filters }) {
  const notices = useSlice(noticesSlice)
  const [isOpen, setOpen] = useState(false)
  const download = async (format: 'csv' | 'jsonl') => {
    const address = activityAddress({ ...queryOf(filters, new Date()), format })
    try {
      // The browser does not report a refused download to the page.
      await assertServed(address)
      startDownload(address)
    } catch (failure) {
      if (!isSignedOut(failure)) notices.fail(t('activity.exportFailed'), failureReason(failure))
    }
  }
  return (
    <LazyMenu
      label={t('activity.export')}
      open={isOpen}
      onOpenChange={setOpen}
      groups={[
        [
          { id: 'csv', label: t('activity.exportCsv'), onSelect: () => void download('csv') },
          { id: 'jsonl', label: t('activity.exportLines'), onSelect: () => void download('jsonl') },
        ],
      ]}
    >
      <Button icon="download" label={t('activity.export')} />
    </LazyMenu>
  )
})
