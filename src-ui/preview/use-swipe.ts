import { type RefObject, useEffect } from 'react'
import { fileViewSlice } from '../core/file-view.ts'
import { useSlice } from '../core/use-workspace.ts'
import { followSwipe } from './swipe.ts'

/** Pixels at the lower edge of a player that belong to its controls. */
const controlsHeight = 90

/** Swipes to the neighbours of a file that is no picture. A touch on the controls of a player is no swipe. */
export function useSwipe(target: RefObject<HTMLElement | null>): void {
  const fileView = useSlice(fileViewSlice)
  useEffect(() => {
    const element = target.current
    if (!element) return
    return followSwipe(element, {
      isFree: (event) => !isOnControls(event),
      onSwipe(to) {
        const neighbour = fileView.neighbours.peek()[to]
        if (neighbour) fileView.show(neighbour.path)
      },
    })
  }, [target, fileView])
}

function isOnControls({ target, clientY }: PointerEvent): boolean {
  if (!(target instanceof HTMLMediaElement)) return target instanceof Element && target.closest('button, a') !== null
  return target.localName === 'audio' || clientY > target.getBoundingClientRect().bottom - controlsHeight
}
