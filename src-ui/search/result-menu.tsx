import { menuGroups } from '../core/menu-entries.ts'
import { type Overlay, overlaysSlice } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { FileObject } from '../ui/file-object.tsx'
import type { MenuEntry } from '../ui/menu-items.tsx'
import { PointMenu } from '../ui/point-menu.tsx'
import { view } from '../ui/view.tsx'
import type { MenuRequest } from './search-results.tsx'
import { targetOf } from './target.ts'

/** The commands for one result. */
export const ResultMenu = view(function ResultMenu({ request, onClose }: { request: MenuRequest; onClose: () => void }) {
  const workspace = useWorkspace()
  const { entry, at } = request
  const groups = menuGroups(workspace, 'context', targetOf(entry))
  const chosen = (choice: MenuEntry): MenuEntry => ({
    ...choice,
    onSelect() {
      const overlays = workspace.use(overlaysSlice)
      if (choice.id === 'item.open') overlays.close('search')
      choice.onSelect()
      restoreFocus(workspace)
    },
  })
  return (
    <PointMenu
      key={`${at.x} ${at.y}`}
      label={t('search.actions', { name: entry.name })}
      at={at}
      groups={groups.map((group) => group.map(chosen))}
      header={<FileObject file={entry} />}
      onClose={onClose}
    />
  )
})

/** Prompts after which the search is shown again. The others may lead to questions, which would wait behind it. */
const prompts: ReadonlySet<Overlay['kind']> = new Set(['delete', 'rename', 'info', 'download'] as Overlay['kind'][])

/** Opens the search again as soon as the prompt that a command has opened over it is closed. */
function restoreFocus(workspace: Workspace): void {
  const overlays = workspace.use(overlaysSlice)
  const opened = overlays.current.peek().kind
  if (!prompts.has(opened)) return
  const stop = overlays.current.subscribe(({ kind }) => {
    if (kind === opened) return
    queueMicrotask(() => {
      stop()
      if (kind === 'none' && overlays.current.peek().kind === 'none' && !workspace.signal.aborted)
        overlays.open({ kind: 'search' })
    })
  })
}
