import { useEffect, useRef } from 'react'
import { commandTableSlice } from '../core/command.ts'
import { sidebarShown } from '../core/preferences.ts'
import { run } from '../core/run.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'

type Props = { place: 'header' | 'corner' }

/** Hides or shows the sidebar. There are two of these buttons, one of them visible: pressing it moves the focus to the other. */
export const SidebarToggle = view(function SidebarToggle({ place }: Props) {
  const workspace = useWorkspace()
  const commandTable = workspace.use(commandTableSlice)
  const inCorner = place === 'corner'
  const button = useFocusOnReturn(sidebarShown.value === inCorner)
  return (
    <IconButton
      ref={button}
      className={inCorner ? '' : 'header-menu'}
      icon={inCorner ? 'layout-sidebar' : 'menu-2'}
      label={t(inCorner ? 'sidebar.hide' : 'sidebar.open')}
      onClick={() => void run(workspace, commandTable.get('sidebar.toggle'))}
    />
  )
})

/** Focuses an element when it becomes visible, but not when it is visible from the start. */
function useFocusOnReturn(inView: boolean) {
  const element = useRef<HTMLButtonElement>(null)
  const before = useRef(inView)
  useEffect(() => {
    if (inView && !before.current) element.current?.focus()
    before.current = inView
  }, [inView])
  return element
}
