import { useEffect, useState } from 'react'
import { tasksSlice } from '../core/tasks.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { viewerPart } from '../preview/lazy-viewer.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { view } from '../ui/view.tsx'

/** The page of one file. What shows it is loaded when it is first needed. */
export const FileScreen = view(function FileScreen() {
  const workspace = useWorkspace()
  const [attempt, setAttempt] = useState(0)
  const [isFailed, setFailed] = useState(false)
  const part = viewerPart.value.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more for each attempt
  useEffect(() => {
    setFailed(false)
    void workspace
      .use(tasksSlice)
      .track({ label: t('app.loading') }, () => viewerPart.load())
      .catch(() => setFailed(true))
  }, [workspace, attempt])
  if (part) return <part.Viewer />
  if (!isFailed) return <div className="pane" aria-busy="true" />
  return (
    <div className="pane">
      <Empty headingLevel={1} art="split" title={t('app.notLoaded')} text={t('app.notLoadedText')}>
        <Button kind="primary" icon="refresh" label={t('action.retry')} onClick={() => setAttempt(attempt + 1)} />
      </Empty>
    </div>
  )
})
