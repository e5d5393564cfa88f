import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { tableRoles } from '../ui/table-roles.ts'
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
  return (
    <>
      <table {...tableRoles.table} className="table shares-table">
        <thead {...tableRoles.group}>
          <tr {...tableRoles.row}>
            <th {...tableRoles.columnHeader}>
              <input
                className="check"
                type="checkbox"
                aria-label={t('shares.selectAll')}
                checked={selected.size === found.length}
                onChange={(event) => state.choose(hashes, event.target.checked)}
              />
            </th>
            <th {...tableRoles.columnHeader}>{t('shares.item')}</th>
            {isAdmin && <th {...tableRoles.columnHeader}>{t('shares.owner')}</th>}
            <th {...tableRoles.columnHeader} className="shares-less">
              {t('shares.made')}
            </th>
            <th {...tableRoles.columnHeader}>{t('shares.ending')}</th>
            <th {...tableRoles.columnHeader} className="shares-number">
              {t('shares.count')}
            </th>
            <th {...tableRoles.columnHeader}>
              <span className="visually-hidden">{t('shares.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody {...tableRoles.group}>
          {shown.map((share) => (
            <ShareRow key={share.hash} share={share} state={state} isSelected={selected.has(share.hash)} isAdmin={isAdmin} />
          ))}
        </tbody>
      </table>
      {shown.length < found.length && <Button wide label={t('shares.showMore')} onClick={() => state.showMore()} />}
    </>
  )
})
