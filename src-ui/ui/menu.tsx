import { DropdownMenu } from 'radix-ui'
import { type ComponentProps, type ReactElement, useRef } from 'react'
import { type MenuEntry, MenuItems } from './menu-items.tsx'
import { Scrim, sparesScrim } from './scrim.tsx'

export type MenuProps = {
  label: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Groups of entries, with a line between them. */
  groups: readonly (readonly MenuEntry[])[]
  /** With which side of the button it is in line; the end unless it is said. */
  align?: 'start' | 'end'
  /** The button that it hangs from. */
  children: ReactElement<ComponentProps<'button'>>
}

/** A menu that hangs from a button; on a phone it comes up from below. */
export function Menu({ label, open, onOpenChange, groups, align = 'end', children }: MenuProps) {
  const chosen = useRef<MenuEntry>(undefined)
  // First the focus is back at the button, then the choice acts: a dialog that it opens gives the focus back there.
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
