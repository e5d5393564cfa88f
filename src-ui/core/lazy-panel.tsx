// What is loaded lazily over or beside a screen: not in lazy.tsx, because the first page has none.
import { type FC, useEffect } from 'react'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { type Load, loadIn, partOf } from './lazy.tsx'
import { noticesSlice } from './notices.ts'
import { type Overlay, overlaysSlice } from './overlay.ts'
import { useWorkspace } from './use-workspace.ts'
import type { Workspace } from './workspace.ts'

/** What is not needed to see the screen: until it is loaded nothing is drawn. */
export function lazyPanel<P extends object>(
  load: Load<P>,
  styles: readonly string[],
  onFailure: (workspace: Workspace, props: P) => void,
): FC<P> {
  const part = partOf(load, styles)
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part
  return view(function LazyPanel(props: P) {
    const workspace = useWorkspace()
    // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is needed
    useEffect(() => void loadIn(workspace, part).catch(() => onFailure(workspace, props)), [workspace])
    const { value: Loaded } = part.value
    return Loaded ? <Loaded {...props} /> : null
  })
}

/** What opens over the page. When it cannot be loaded it closes, and a notice says so. */
export const lazyOverlay = <P extends object>(load: Load<P>, styles: readonly string[]) =>
  lazyPanel<P & { kind: Overlay['kind'] }>(load, styles, (workspace, { kind }) => {
    workspace.use(overlaysSlice).close(kind)
    workspace.use(noticesSlice).fail(t('app.notLoaded'), t('app.notLoadedText'))
  })
