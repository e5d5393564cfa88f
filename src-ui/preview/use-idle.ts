import { type RefObject, useEffect } from 'react'
import { keyPressesSlice } from '../core/keyboard.ts'
import { useSlice } from '../core/use-workspace.ts'

/** Milliseconds without a movement of the mouse after which the controls fade. */
export const idleTime = 3000

/**
 * Fades the controls over a picture or a video while the mouse rests. They stay for people who use the keyboard or touch, and while
 * the pointer or the focus is on them.
 */
export function useIdle(section: RefObject<HTMLElement | null>, isWanted: boolean): void {
  const { count: keyPresses } = useSlice(keyPressesSlice)
  useEffect(() => {
    const element = section.current
    if (!element || !isWanted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const wake = () => {
      clearTimeout(timer)
      delete element.dataset.idle
    }
    const fade = () => {
      const isUsed = element.querySelector('.viewer-header:hover, .viewer-step:hover, :focus-visible, [aria-expanded="true"]')
      if (!isUsed) element.dataset.idle = ''
    }
    const follow = (event: PointerEvent) => {
      wake()
      if (event.pointerType === 'mouse') timer = setTimeout(fade, idleTime)
    }
    element.addEventListener('pointermove', follow)
    element.addEventListener('pointerdown', follow)
    element.addEventListener('focusin', wake)
    const stop = keyPresses.subscribe(wake)
    return () => {
      wake()
      element.removeEventListener('pointermove', follow)
      element.removeEventListener('pointerdown', follow)
      element.removeEventListener('focusin', wake)
      stop()
    }
  }, [section, isWanted, keyPresses])
}
