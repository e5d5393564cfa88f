import type { ComponentProps, ReactElement } from 'react'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import { view } from '../ui/view.tsx'
import { menuGroups } from './menu-entries.ts'
import { close, open, overlay } from './overlay.ts'

type Props = { place: 'more' | 'new' | 'sort'; label: string; children: ReactElement<ComponentProps<'button'>> }

/** A menu of what the command table offers in one place. */
export const CommandMenu = view(function CommandMenu({ place, label, children }: Props) {
  return (
    <LazyMenu
      label={label}
      open={overlay.value.kind === place}
      onOpenChange={(wanted) => (wanted ? open({ kind: place }) : close(place))}
      groups={menuGroups(place)}
    >
      {children}
    </LazyMenu>
  )
})
