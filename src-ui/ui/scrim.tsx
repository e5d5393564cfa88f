import { type MouseEvent, useRef } from 'react'

type Props = { className: string; onPress: () => void }

/**
 * Dims the page behind a drawer or a sheet, and closes it at the end of a press: if it disappeared at the beginning, the release
 * would reach the page behind it.
 */
export function Scrim({ className, onPress }: Props) {
  // The press that opened the menu may end here; it must not close the menu.
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it is no control; Esc closes the overlay
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

/** Handler for Radix's onPointerDownOutside: prevents closing at the beginning of a press on the scrim. */
export function sparesScrim(event: CustomEvent<{ originalEvent: Event }>): void {
  const target = event.detail.originalEvent.target
  if (target instanceof Element && target.closest('[data-scrim]')) event.preventDefault()
}
