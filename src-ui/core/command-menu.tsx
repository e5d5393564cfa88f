import type { ComponentProps, ReactElement } from 'react'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import { view } from '../ui/view.tsx'
import { menuGroups } from './menu-entries.ts'
import { overlaysSlice } from './overlay.ts'
import { useWorkspace } from './use-workspace.ts'

type Props = {
  place: 'more' | 'new' | 'sort' | 'view' | 'viewer'
  label: string
  children: ReactElement<ComponentProps<'button'>>
}

/** The menu of the commands that the table offers in one place. */
export const CommandMenu = view(function CommandMenu({ place, label, children }: Props) {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  return (
    <LazyMenu
      label={label}
      open={overlays.current.value.kind === place}
      onOpenChange={(wanted) => (wanted ? overlays.open({ kind: place }) : overlays.close(place))}
      groups={menuGroups(workspace, place)}
    >
      {children}
    </LazyMenu>
  )
})
