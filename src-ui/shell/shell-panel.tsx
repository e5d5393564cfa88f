import { type CSSProperties, useEffect, useState } from 'react'
import { openCommandSocket } from '../api/command-socket.ts'
import { selectionTarget } from '../core/command.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { slice } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { focusBack } from '../ui/focus-back.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { Console } from './console.ts'
import { Grip } from './grip.tsx'
import { Lines } from './lines.tsx'
import { panelShare } from './panel-share.ts'
import { makeScreen } from './screen.ts'
import { shellSlice } from './shell.ts'

const consoleSlice = slice('console', (workspace) => {
  const close = () => workspace.use(shellSlice).show(false)
  return new Console({ workspace, connect: openCommandSocket, makeScreen, close })
})

/** The panel below the listing in which a person runs commands. */
export const ShellPanel = view(function ShellPanel() {
  const workspace = useWorkspace()
  const console = useSlice(consoleSlice)
  const { show } = useSlice(shellSlice)
  const { folder } = selectionTarget(workspace)
  const hidden = useKeyboardHeight()
  useFocusReturn()
  useEffect(() => () => console.stop(), [console])
  return (
    <section
      className="shell"
      aria-label={t('shell.title')}
      data-region
      style={{ '--shell-share': `${panelShare.value}%`, '--keyboard': `${hidden}px` } as CSSProperties}
    >
      <Grip />
      <header className="shell-head">
        <Icon name="terminal-2" />
        <h2>{t('shell.title')}</h2>
        <bdi className="shell-folder" dir="ltr" translate="no" title={folder}>
          {folder}
        </bdi>
        <span className="grow" />
        {console.running.value && <Button small label={t('shell.stop')} onClick={() => console.stop()} />}
        <Button small kind="quiet" label={t('shell.clear')} onClick={() => console.clear()} />
        <IconButton icon="x" small smallIcon label={t('action.close')} onClick={() => show(false)} />
      </header>
      <Lines console={console} folder={folder} onClose={() => show(false)} />
    </section>
  )
})

/** When the panel closes, the focus goes to what had it before. */
function useFocusReturn() {
  // Read before the line takes the focus.
  const [invoker] = useState(() => document.activeElement)
  useEffect(() => () => focusBack(invoker), [invoker])
}

/** How many pixels of the window a keyboard on the screen covers. Browsers of phones do not shrink the page for it. */
function useKeyboardHeight(): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    // A zoomed page is partly outside of the window too.
    const measure = () => setHeight(viewport.scale > 1.05 ? 0 : Math.max(0, innerHeight - viewport.height - viewport.offsetTop))
    measure()
    viewport.addEventListener('resize', measure)
    viewport.addEventListener('scroll', measure)
    return () => {
      viewport.removeEventListener('resize', measure)
      viewport.removeEventListener('scroll', measure)
    }
  }, [])
  return height
}
