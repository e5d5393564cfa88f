import { useEffect } from 'react'
import { nameOf } from '../core/paths.ts'
import { isolate, t } from '../i18n/t.ts'
import { currentPath } from '../listing/listing.ts'
import { Art } from '../ui/art.tsx'
import { view } from '../ui/view.tsx'
import { followDrops } from './follow-drops.ts'
import { draggedOver } from './uploads.ts'

/** While files are dragged over the listing it says where they will go. */
export const DropTarget = view(function DropTarget() {
  useEffect(() => followDrops(window), [])
  const count = draggedOver.value
  if (count === undefined) return null
  const folder = nameOf(currentPath.value) || t('sidebar.myFiles')
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
