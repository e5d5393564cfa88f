import { type MouseEvent, useRef } from 'react'

type Props = { className: string; onPress: () => void }

/**
 * Dims the page below a drawer or a sheet, and takes the whole press that closes it: what went away when a press begins
 * would let its end through to what lies below.
 */
export function Scrim({ className, onPress }: Props) {
  // The press that opened the menu may end here, and is not one on the scrim.
  const isPressed = useRef(false)
  const begin = () => {
    isPressed.current = true
  }
  const keepFocus = (event: MouseEvent) => event.preventDefault()
  const close = (event: MouseEvent) => {
    event.preventDefault()
    if (isPressed.current) onPress()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is no control; Esc closes what lies over the page
    <div
      className={className}
      role="presentation"
      data-scrim
      onPointerDown={begin}
      onMouseDown={keepFocus}
      onClick={close}
      onContextMenu={close}
    />
  )
}

/** For the menu's library, which closes at the beginning of a press: the scrim closes at its end. */
export function sparesScrim(event: CustomEvent<{ originalEvent: Event }>): void {
  const target = event.detail.originalEvent.target
  if (target instanceof Element && target.closest('[data-scrim]')) event.preventDefault()
}
