import { useEffect } from 'react'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { viewerPart } from './lazy-viewer.ts'

/** Loads the quick look when it is opened. */
export const QuickLookHost = view(function QuickLookHost() {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const isOpen = overlays.current.value.kind === 'quickLook'
  const part = viewerPart.value.value
  useEffect(() => {
    if (!isOpen) return
    viewerPart.load().catch(() => {
      overlays.close('quickLook')
      workspace.use(noticesSlice).fail(t('app.notLoaded'), t('app.notLoadedText'))
    })
  }, [isOpen, overlays, workspace])
  return isOpen && part ? <part.QuickLook /> : null
})
