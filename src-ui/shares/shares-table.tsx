import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Table, TableBody } from '../ui/table.tsx'
import { view } from '../ui/view.tsx'
import type { ManagedLinks } from './managed-links.ts'
import { ShareRow } from './share-row.tsx'

/** The links that fit the filter. On a phone each row is a card. */
export const SharesTable = view(function SharesTable({ state }: { state: ManagedLinks }) {
  const isAdmin = useWorkspace().may('admin')
  const found = state.found.value
  const shown = state.shown.value
  const selected = new Set(state.selected.value.map(({ hash }) => hash))
  const hashes = found.map(({ hash }) => hash)
  const all = (
    <input
      className="check"
      type="checkbox"
      aria-label={t('shares.selectAll')}
      checked={selected.size === found.length}
      onChange={(event) => state.choose(hashes, event.target.checked)}
    />
  )
  return (
    <>
      <Table
        className="table table-cards shares-table"
        columns={[
          { title: all },
          { title: t('shares.item') },
          isAdmin && { title: t('shares.owner') },
          { title: t('shares.made'), className: 'shares-less' },
          { title: t('shares.ending') },
          { title: t('shares.count'), className: 'shares-number' },
          { title: t('shares.actions'), hidden: true },
        ]}
      >
        <TableBody>
          {shown.map((share) => (
            <ShareRow key={share.hash} share={share} state={state} isSelected={selected.has(share.hash)} isAdmin={isAdmin} />
          ))}
        </TableBody>
      </Table>
      {shown.length < found.length && <Button wide label={t('shares.showMore')} onClick={() => state.showMore()} />}
    </>
  )
})
