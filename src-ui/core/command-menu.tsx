import { signal } from '@preact/signals-core'
import type { ComponentProps, ReactElement } from 'react'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import { view } from '../ui/view.tsx'
import type { menuGroups } from './menu-entries.ts'
import { overlaysSlice } from './overlay.ts'
import { useWorkspace } from './use-workspace.ts'

type Props = {
  place: 'more' | 'new' | 'sort' | 'view' | 'viewer'
  label: string
  children: ReactElement<ComponentProps<'button'>>
}

/** What makes the entries, once it is loaded with the menu: the first page does not contain it. */
export const loadedGroups = signal<typeof menuGroups | undefined>(undefined)

/** The menu of the commands that the table offers in one place. */
export const CommandMenu = view(function CommandMenu({ place, label, children }: Props) {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const open = overlays.current.value.kind === place
  return (
    <LazyMenu
      label={label}
      open={open}
      onOpenChange={(wanted) => (wanted ? overlays.open({ kind: place }) : overlays.close(place))}
      groups={open ? (loadedGroups.value?.(workspace, place) ?? []) : []}
    >
      {children}
    </LazyMenu>
  )
})
