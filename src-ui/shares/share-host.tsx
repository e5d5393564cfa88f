import { useEffect } from 'react'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { tasksSlice } from '../core/tasks.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { sharePart } from './lazy-shares.ts'

/** Loads the dialog about public links when it is opened. */
export const ShareHost = view(function ShareHost() {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const { value } = overlays.current
  const isOpen = value.kind === 'share'
  const part = sharePart.value.value
  useEffect(() => {
    if (!isOpen) return
    workspace
      .use(tasksSlice)
      .track({ label: t('app.loading') }, () => sharePart.load())
      .catch(() => {
        overlays.close('share')
        workspace.use(noticesSlice).fail(t('app.notLoaded'), t('app.notLoadedText'))
      })
  }, [isOpen, overlays, workspace])
  return value.kind === 'share' && part ? <part.ShareDialog key={value.entry.key} entry={value.entry} /> : null
})
