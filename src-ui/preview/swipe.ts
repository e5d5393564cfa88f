import { locale } from '../i18n/locale.ts'

/** Pixels that a finger moves for a swipe. */
const swipeDistance = 60
/** A swipe is at least this much wider than high. */
const flatness = 1.5

type Swiping = {
  /** Whether a touch may be a swipe: not while a picture is zoomed. */
  isFree(event: PointerEvent): boolean
  onSwipe(to: 'previous' | 'next'): void
}

/** The neighbour that a movement leads to; undefined when it is no swipe. In right-to-left languages it is the other one. */
export function swipedTo(x: number, y: number, dir: 'ltr' | 'rtl'): 'previous' | 'next' | undefined {
  if (Math.abs(x) < swipeDistance || Math.abs(x) < Math.abs(y) * flatness) return undefined
  return x < 0 === (dir === 'ltr') ? 'next' : 'previous'
}

/** Follows swipes of one finger; what is swiped moves with the finger. @returns what stops it */
export function followSwipe(stage: HTMLElement, { isFree, onSwipe }: Swiping): () => void {
  const ending = new AbortController()
  const { signal } = ending
  let start: { id: number; x: number; y: number } | undefined
  const drag = (x: number) => stage.style.setProperty('--swipe', x ? `${x}px` : '0')
  const cancel = () => {
    start = undefined
    drag(0)
  }
  const movement = (event: PointerEvent) => ({ x: event.clientX - (start?.x ?? 0), y: event.clientY - (start?.y ?? 0) })
  const down = (event: PointerEvent) => {
    // A second finger begins a pinch.
    if (start || event.pointerType !== 'touch' || !isFree(event)) return cancel()
    start = { id: event.pointerId, x: event.clientX, y: event.clientY }
  }
  const move = (event: PointerEvent) => {
    if (event.pointerId !== start?.id) return
    if (!isFree(event)) return cancel()
    const { x, y } = movement(event)
    drag(Math.abs(x) > Math.abs(y) ? x : 0)
  }
  const up = (event: PointerEvent) => {
    if (event.pointerId !== start?.id) return
    const { x, y } = movement(event)
    const to = isFree(event) ? swipedTo(x, y, locale.value.dir) : undefined
    cancel()
    if (to) onSwipe(to)
  }
  stage.addEventListener('pointerdown', down, { signal })
  stage.addEventListener('pointermove', move, { signal })
  stage.addEventListener('pointerup', up, { signal })
  stage.addEventListener('pointercancel', cancel, { signal })
  return () => {
    ending.abort()
    drag(0)
  }
}
