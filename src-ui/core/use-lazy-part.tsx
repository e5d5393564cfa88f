import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import type { LazyPart } from './lazy-part.ts'
import { isOutdated, waitingScreens } from './outdated.ts'
import { tasksSlice } from './tasks.ts'
import { useWorkspace } from './use-workspace.ts'

/** Loads a part when it is first needed. @returns the part, or what is shown in its place until then or after a failure */
export function useLazyPart<T>(part: LazyPart<T>): { loaded: T } | { loaded: undefined; placeholder: ReactNode } {
  const workspace = useWorkspace()
  const [attempt, setAttempt] = useState(0)
  const [isFailed, setFailed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more for each attempt
  useEffect(() => {
    setFailed(false)
    void workspace
      .use(tasksSlice)
      .track({ label: t('app.loading') }, () => part.load())
      .catch(() => setFailed(true))
  }, [workspace, part, attempt])
  const loaded = part.value.value
  const isWaiting = loaded === undefined
  useEffect(() => {
    if (!isWaiting) return
    waitingScreens.value += 1
    return () => {
      waitingScreens.value -= 1
    }
  }, [isWaiting])
  if (loaded !== undefined) return { loaded }
  if (!isFailed) return { loaded: undefined, placeholder: <div className="pane" aria-busy="true" /> }
  const isOld = isOutdated.value
  const again = isOld ? () => location.reload() : () => setAttempt(attempt + 1)
  const placeholder = (
    <div className="pane">
      <Empty
        headingLevel={1}
        art="split"
        title={t(isOld ? 'app.newVersion' : 'app.notLoaded')}
        text={t(isOld ? 'app.newVersionText' : 'app.notLoadedText')}
      >
        <Button kind="primary" icon="refresh" label={t(isOld ? 'app.reload' : 'action.retry')} onClick={again} />
      </Empty>
    </div>
  )
  return { loaded: undefined, placeholder }
}
