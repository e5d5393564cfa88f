import { t } from '../../i18n/t.ts'
import { open } from '../../state/overlay.ts'
import { IconButton } from '../../ui/icon-button.tsx'

/** On a phone, where there is no right button: everything that can be done with the selection. */
export function MoreButton() {
  return (
    <IconButton
      className="selection-more"
      icon="dots-vertical"
      label={t('menu.more')}
      aria-haspopup="menu"
      onClick={(event) => {
        const { left, top } = event.currentTarget.getBoundingClientRect()
        open({ kind: 'context', of: 'selection', at: { x: left, y: top } })
      }}
    />
  )
}
