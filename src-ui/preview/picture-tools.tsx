import { commandTableSlice, isAllowed } from '../core/command.ts'
import { run } from '../core/run.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatPercent } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { previewSlice } from './preview.ts'
import { largestZoom, smallestZoom } from './zoom.ts'

/** The zoom and the resolution of a picture; nothing for other files. */
export const PictureTools = view(function PictureTools() {
  const workspace = useWorkspace()
  const preview = workspace.use(previewSlice)
  const fullSize = workspace.use(commandTableSlice).get('viewer.fullSize')
  const picture = preview.picture.value
  const zoom = preview.zoom.value
  return (
    <>
      {picture && (
        <fieldset className="zoom viewer-extra" aria-label={t('preview.zoom')}>
          <IconButton
            icon="minus"
            smallIcon
            label={t('preview.command.zoomOut')}
            keys="-"
            aria-disabled={zoom <= smallestZoom || undefined}
            onClick={() => picture.zoomBy(-1)}
          />
          <span className="zoom-value" aria-live="polite">
            {formatPercent(zoom)}
          </span>
          <IconButton
            icon="plus"
            smallIcon
            label={t('preview.command.zoomIn')}
            keys="+"
            aria-disabled={zoom >= largestZoom || undefined}
            onClick={() => picture.zoomBy(1)}
          />
        </fieldset>
      )}
      {isAllowed(workspace, fullSize) && (
        <IconButton
          className="viewer-extra"
          icon="aspect-ratio"
          label={t('preview.command.fullSize')}
          pressed={preview.isFullSize.value}
          onClick={() => void run(workspace, fullSize)}
        />
      )}
    </>
  )
})
