import { DropdownMenu } from 'radix-ui'
import { type ComponentProps, type ReactElement, useRef } from 'react'
import { type MenuEntry, MenuItems } from './menu-items.tsx'
import { Scrim, sparesScrim } from './scrim.tsx'

/** A menu and the button that opens it. */
export type MenuProps = {
  label: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Groups of entries, with a separator between them. */
  groups: readonly (readonly MenuEntry[])[]
  /** The side of the button with which the menu is aligned; `end` by default. */
  align?: 'start' | 'end'
  /** The button that opens it. */
  children: ReactElement<ComponentProps<'button'>>
}

/** A menu below a button; on a phone a sheet at the bottom. */
export function Menu({ label, open, onOpenChange, groups, align = 'end', children }: MenuProps) {
  const chosen = useRef<MenuEntry>(undefined)
  // Runs after the focus is back at the button, so that a dialog opened by the entry returns the focus there.
  const act = () => {
    const entry = chosen.current
    chosen.current = undefined
    if (entry) queueMicrotask(entry.onSelect)
  }
  return (
    <DropdownMenu.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      {open && <Scrim className="menu-scrim" onPress={() => onOpenChange(false)} />}
      <DropdownMenu.Content
        className="menu"
        align={align}
        sideOffset={4}
        collisionPadding={8}
        aria-label={label}
        loop
        onCloseAutoFocus={act}
        onPointerDownOutside={sparesScrim}
      >
        <MenuItems
          groups={groups}
          onChoose={(entry) => {
            chosen.current = entry
          }}
        />
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
