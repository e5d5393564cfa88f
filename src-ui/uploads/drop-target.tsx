import { entryViewSlice } from '../core/entry-view.ts'
import { nameOf } from '../core/paths.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Art } from '../ui/art.tsx'
import { view } from '../ui/view.tsx'
import { uploadsSlice } from './uploads-slice.ts'

/** Names the target folder while files are dragged over the listing. */
export const DropTarget = view(function DropTarget() {
  const workspace = useWorkspace()
  const entryView = workspace.use(entryViewSlice)
  const uploads = workspace.use(uploadsSlice)
  const count = uploads.draggedOver.value
  if (count === undefined) return null
  const folder = nameOf(entryView.currentPath.value) || t('sidebar.myFiles')
  return (
    <div className="drop">
      <svg className="drop-stitch" aria-hidden="true">
        <rect width="100%" height="100%" rx="8" />
      </svg>
      <div className="drop-note">
        <Art name="bag" />
        <strong>{t('uploads.dropTitle', { folder: isolate(folder) })}</strong>
        <span className="muted">
          {count > 0 && `${t('uploads.dropItems', { count })} `}
          {t('uploads.dropHint')}
        </span>
      </div>
    </div>
  )
})
