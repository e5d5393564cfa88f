import { type FC, type ReactNode, useEffect, useState } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { view } from '../ui/view.tsx'
import { LazyPart } from './lazy-part.ts'
import { loadStyle } from './lazy-style.ts'
import { isOutdated, waitingScreens } from './outdated.ts'
import { tasksSlice } from './tasks.ts'
import { useWorkspace } from './use-workspace.ts'
import type { Workspace } from './workspace.ts'

/** A component whose code is loaded when it is drawn first. */
type Lazy<P extends object> = FC<P> & { readonly part: LazyPart<FC<P>> }
export type Load<P extends object> = () => Promise<FC<P>>

/**
 * A screen, or a large part of one. Until it is loaded a busy pane is drawn in its place and, when that fails, why and a button to try
 * again.
 * @param styles the addresses of its style sheets
 * @param frame what is around the pane
 */
export function lazyScreen<P extends object>(
  load: Load<P>,
  styles: readonly string[],
  frame = (pane: ReactNode) => pane,
): Lazy<P> {
  const part = partOf(load, styles)
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part
  const Screen = view(function LazyScreen(props: P) {
    const { value: Loaded } = part.value
    return Loaded ? <Loaded {...props} /> : frame(<Pane part={part} />)
  })
  return Object.assign(Screen, { part })
}

export const partOf = <P extends object>(load: Load<P>, styles: readonly string[]) =>
  new LazyPart(async () => (await Promise.all([load(), ...styles.map(loadStyle)]))[0])

export const loadIn = (workspace: Workspace, part: Pick<LazyPart<unknown>, 'load'>) =>
  workspace.use(tasksSlice).track(() => part.load())

const Pane = view(function Pane({ part }: { part: Pick<LazyPart<unknown>, 'load'> }) {
  const workspace = useWorkspace()
  const [attempt, setAttempt] = useState(0)
  const [isFailed, setFailed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more for each attempt
  useEffect(() => {
    setFailed(false)
    void loadIn(workspace, part).catch(() => setFailed(true))
  }, [workspace, part, attempt])
  useEffect(() => {
    waitingScreens.value += 1
    return () => {
      waitingScreens.value -= 1
    }
  }, [])
  if (!isFailed) return <div className="pane" aria-busy="true" />
  const isOld = isOutdated.value
  const again = isOld ? () => location.reload() : () => setAttempt(attempt + 1)
  return (
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
})
