import { cancelDrag } from '../core/drag.ts'

type Point = Pick<PointerEvent, 'clientX' | 'clientY'>

/** What a drag does. */
export type Dragging = {
  start(): void
  move(at: PointerEvent): void
  drop(): void
  /** Called off: nothing is to come of it. */
  cancel(): void
}

/** How far a press moves before it is a drag, in pixels. */
const threshold = 5

/** Follows a pressed pointer: once it has moved it drags, until it is let go or called off. */
export function followPress(down: Point & Pick<PointerEvent, 'pointerId'>, dragging: Dragging): void {
  const ending = new AbortController()
  let isDragging = false
  const listen = (name: 'pointermove' | 'pointerup' | 'pointercancel', listener: (event: PointerEvent) => void) =>
    addEventListener(name, (event) => event.pointerId === down.pointerId && listener(event), { signal: ending.signal })
  const end = (how: 'drop' | 'cancel') => {
    ending.abort()
    if (isDragging) dragging[how]()
    cancelDrag.value = undefined
  }
  listen('pointermove', (event) => {
    // Let go where the page could not see it.
    if (event.buttons === 0) return end('cancel')
    if (!isDragging && distance(event, down) < threshold) return
    if (!isDragging) {
      isDragging = true
      cancelDrag.value = () => end('cancel')
      swallowClick()
      dragging.start()
    }
    dragging.move(event)
  })
  listen('pointerup', () => end('drop'))
  listen('pointercancel', () => end('cancel'))
}

const distance = (a: Point, b: Point) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)

// The end of a drag is a click for the browser, and for nobody else.
function swallowClick(): void {
  const ending = new AbortController()
  const swallow = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, signal: ending.signal })
  addEventListener('pointerup', () => setTimeout(() => ending.abort()), { once: true })
}
