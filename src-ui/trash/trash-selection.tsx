import { useRun } from '../core/run.ts'
import { formatNumber, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useToolbar } from '../ui/use-toolbar.ts'
import { view } from '../ui/view.tsx'
import type { TrashItems, TrashRow } from './trash-items.ts'

/** The number of selected entries, and what can be done with them; on a phone at the lower edge. */
export const TrashSelection = view(function TrashSelection({ items }: { items: TrashItems }) {
  const rows = items.selected.value
  return rows.length > 0 ? <Bar items={items} rows={rows} /> : null
})

const Bar = view(function Bar({ items, rows }: { items: TrashItems; rows: readonly TrashRow[] }) {
  const press = useRun()
  const toolbar = useToolbar()
  const size = rows.reduce((sum, row) => sum + (row.size ?? 0), 0)
  const own = rows.filter(({ mayPurge }) => mayPurge)
  const [only] = rows
  return (
    <div className="selection" role="toolbar" {...toolbar} aria-label={t('listing.selection')}>
      <span className="selection-count">
        <span className="selection-text">
          <span className="selection-number" aria-hidden="true">
            {formatNumber(rows.length)}
          </span>
          <span className="selection-words">
            {t('listing.selected', { count: rows.length })}
            <span className="selection-size"> · {formatSize(size)}</span>
          </span>
        </span>
        <IconButton icon="x" smallIcon label={t('listing.clear')} onClick={() => items.clearSelected()} />
      </span>
      {rows.length === 1 && only && !only.isDir && (
        <IconButton icon="eye" label={t('listing.command.open')} onClick={() => press('trash.open')} />
      )}
      <Button
        kind="quiet"
        icon="arrow-back-up"
        label={t('trash.restore')}
        busy={items.isBusy.value}
        onClick={() => press('trash.restore')}
      />
      <Button
        kind="quiet"
        className="button-danger-quiet"
        label={t('trash.purge')}
        aria-disabled={own.length === 0 || undefined}
        title={own.length === 0 ? t('refusal.othersTrash') : undefined}
        onClick={() => own.length > 0 && press('trash.purge')}
      />
      <span className="divider" />
    </div>
  )
})
