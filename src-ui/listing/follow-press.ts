import { dragSlice } from '../core/drag.ts'
import type { Workspace } from '../core/workspace.ts'

type Point = Pick<PointerEvent, 'clientX' | 'clientY'>

/** The handlers of a drag. */
export type Dragging = {
  start(): void
  move(at: PointerEvent): void
  drop(): void
  /** The drag was cancelled. */
  cancel(): void
}

/** Pixels that a press must move to become a drag. */
const threshold = 5

/** Follows a pressed pointer. When it has moved far enough it drags, until it is released or cancelled. */
export function followPress(workspace: Workspace, down: Point & Pick<PointerEvent, 'pointerId'>, dragging: Dragging): void {
  const dragState = workspace.use(dragSlice)
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, workspace.signal])
  let isDragging = false
  const listen = (name: 'pointermove' | 'pointerup' | 'pointercancel', listener: (event: PointerEvent) => void) =>
    addEventListener(name, (event) => event.pointerId === down.pointerId && listener(event), { signal })
  const end = (how: 'drop' | 'cancel') => {
    ending.abort()
    if (isDragging) dragging[how]()
    dragState.cancel.value = undefined
  }
  listen('pointermove', (event) => {
    // It was released outside the page.
    if (event.buttons === 0) return end('cancel')
    if (!isDragging && distance(event, down) < threshold) return
    if (!isDragging) {
      isDragging = true
      dragState.cancel.value = () => end('cancel')
      swallowClick()
      dragging.start()
    }
    dragging.move(event)
  })
  listen('pointerup', () => end('drop'))
  listen('pointercancel', () => end('cancel'))
}

const distance = (a: Point, b: Point) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)

// The browser fires a click at the end of a drag.
function swallowClick(): void {
  const ending = new AbortController()
  const swallow = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, signal: ending.signal })
  addEventListener('pointerup', () => setTimeout(() => ending.abort()), { once: true })
}
