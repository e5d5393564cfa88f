import { signal } from '@preact/signals-core'
import { type ComponentProps, cloneElement, type FC, type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { MenuProps } from './menu.tsx'
import { view } from './view.tsx'

/** The menu's own code, once it is here: the first page does without it. */
export const loadedMenu = signal<FC<MenuProps> | undefined>(undefined)

/**
 * A menu that hangs from a button. Until it is opened for the first time there is the button alone, and it stays the same
 * one: a button that is put in another's place while it is pressed would lose the press, and the focus.
 */
export const LazyMenu = view(function LazyMenu(props: MenuProps) {
  const [wasOpened, setOpened] = useState(false)
  if (props.open && !wasOpened) setOpened(true)
  const Loaded = loadedMenu.value
  return Loaded && wasOpened ? <Loaded {...props} /> : <MenuButton {...props} />
})

// It opens as the menu's own button will: when the pointer goes down, and by these keys.
function MenuButton({ open, onOpenChange, children }: MenuProps) {
  const press = (event: PointerEvent | KeyboardEvent) => {
    // The focus goes to the menu, and comes back to the button that hangs it.
    event.preventDefault()
    onOpenChange(!open)
  }
  const given: ComponentProps<'button'> = {
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    onPointerDown: (event) => event.button === 0 && !event.ctrlKey && press(event),
    onKeyDown: (event) => ['Enter', ' ', 'ArrowDown'].includes(event.key) && press(event),
  }
  return cloneElement(children, given)
}
