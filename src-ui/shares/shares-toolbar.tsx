import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useToolbar } from '../ui/use-toolbar.ts'
import { view } from '../ui/view.tsx'
import type { LinkKind } from './find-links.ts'
import type { ManagedLinks } from './managed-links.ts'

const icons: Partial<Record<LinkKind, IconName>> = { soon: 'clock', locked: 'lock' }

/** Which kinds of links are shown, and what can be done with those that are selected. */
export const SharesToolbar = view(function SharesToolbar({ state }: { state: ManagedLinks }) {
  const overlays = useSlice(overlaysSlice)
  const selected = state.selected.value
  const toolbar = useToolbar()
  const clear = () =>
    state.choose(
      selected.map(({ hash }) => hash),
      false,
    )
  return (
    <div className="shares-toolbar">
      <fieldset className="shares-kinds">
        <legend className="visually-hidden">{t('shares.which')}</legend>
        {state.counts().map(([kind, count]) => (
          <button
            key={kind}
            type="button"
            className="chip"
            aria-pressed={state.kind.value === kind}
            onClick={() => state.filter({ kind })}
          >
            {icons[kind] && <Icon name={icons[kind]} small />}
            {t(`shares.kinds.${kind}`, { number: formatNumber(count) })}
          </button>
        ))}
      </fieldset>
      {selected.length > 0 && (
        <div className="shares-selected" role="toolbar" {...toolbar} aria-label={t('shares.selection')}>
          <span className="shares-count">
            <span>{t('shares.selected', { count: selected.length })}</span>
            <IconButton icon="x" small smallIcon label={t('shares.clear')} onClick={clear} />
          </span>
          <Button
            className="button-danger-quiet"
            icon="trash"
            label={t('action.delete')}
            onClick={() => overlays.open({ kind: 'deleteShares', links: selected, state })}
          />
        </div>
      )}
    </div>
  )
})
