import { signal } from '@preact/signals-core'
import { type ComponentProps, cloneElement, type FC, type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { MenuProps } from './menu.tsx'
import { view } from './view.tsx'

/** The component of the menu, once it is loaded: the first page does not contain it. */
export const loadedMenu = signal<FC<MenuProps> | undefined>(undefined)

/**
 * A menu button whose menu is loaded lazily. Until it is first opened only the button is rendered, and it stays the same element
 * afterwards: replacing a pressed button would lose the press and the focus.
 */
export const LazyMenu = view(function LazyMenu(props: MenuProps) {
  const [wasOpened, setOpened] = useState(false)
  if (props.open && !wasOpened) setOpened(true)
  const Loaded = loadedMenu.value
  return Loaded && wasOpened ? <Loaded {...props} /> : <MenuButton {...props} />
})

// Opens on the same events as the trigger of the loaded menu.
function MenuButton({ open, onOpenChange, children }: MenuProps) {
  const press = (event: PointerEvent | KeyboardEvent) => {
    // The menu takes the focus when it opens.
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
