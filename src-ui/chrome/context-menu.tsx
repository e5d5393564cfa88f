import type { Entry } from '../core/entries.ts'
import { menuGroups } from '../core/menu-entries.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatDay, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { FileObject } from '../ui/file-object.tsx'
import { PointMenu } from '../ui/point-menu.tsx'
import { view } from '../ui/view.tsx'

/** The context menu of the selected entries or, on empty space, of the folder. */
export const ContextMenu = view(function ContextMenu() {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const { value } = overlays.current
  if (value.kind !== 'context') return null
  const { of, target, at } = value
  const groups = menuGroups(workspace, of === 'selection' ? 'context' : of, target)
  if (groups.length === 0) return null
  return (
    <PointMenu
      key={`${at.x} ${at.y}`}
      label={t(of === 'folder' ? 'menu.folder' : 'menu.actions')}
      at={at}
      groups={groups}
      header={of === 'folder' ? undefined : <MenuHeader entries={target.items} />}
      onClose={() => overlays.close('context')}
    />
  )
})

function MenuHeader({ entries }: { entries: readonly Entry[] }) {
  const [first, ...others] = entries
  if (!first) return null
  if (others.length > 0) return <strong>{t('listing.selected', { count: entries.length })}</strong>
  return (
    <FileObject file={first}>
      <small>{first.isDir ? formatDay(first.modified) : `${formatSize(first.size)} · ${formatDay(first.modified)}`}</small>
    </FileObject>
  )
}
