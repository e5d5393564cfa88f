import { type RefObject, useEffect, useRef } from 'react'
import { fileViewSlice } from '../core/file-view.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { followSwipe } from './swipe.ts'
import type { Zoom } from './use-zoom.ts'
import { clampZoom, type Point, zoomStep } from './zoom.ts'

/** Milliseconds within which a second tap at the same place is a double tap. */
export const doubleTapTime = 300
/** Pixels between the two taps. */
const tapDistance = 30
/** Pixels of a wheel's scrolling for one step of the zoom. */
const wheelStep = 100

/** Mouse, wheel and touch on a picture: zoom at the pointer, pinch, drag, double click and double tap, swipe to a neighbour. */
export function useGestures(stage: RefObject<HTMLElement | null>, zoom: Zoom): void {
  const fileView = useWorkspace().use(fileViewSlice)
  const current = useRef(zoom)
  current.current = zoom
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const pointers = new Pointers(element, () => current.current)
    const stop = followSwipe(element, {
      isFree: () => current.current.now().zoom <= 1 && pointers.count < 2,
      onSwipe: (to) => {
        const neighbour = fileView.neighbours.peek()[to]
        if (neighbour) fileView.show(neighbour.path)
      },
    })
    return () => {
      stop()
      pointers.close()
    }
  }, [stage, fileView])
}

/** The pointers that are down on the stage. One drags, two pinch. */
class Pointers {
  readonly #stage: HTMLElement
  readonly #zoom: () => Zoom
  readonly #down = new Map<number, Point>()
  readonly #ending = new AbortController()
  #tap: { at: Point; time: number } | undefined
  #wasPinched = false

  constructor(stage: HTMLElement, zoom: () => Zoom) {
    this.#stage = stage
    this.#zoom = zoom
    const { signal } = this.#ending
    stage.addEventListener('pointerdown', (event) => this.#press(event), { signal })
    stage.addEventListener('pointermove', (event) => this.#move(event), { signal })
    for (const name of ['pointerup', 'pointercancel'] as const)
      stage.addEventListener(name, (event) => this.#lift(event), { signal })
    stage.addEventListener('dblclick', (event) => this.#zoom().cycle(this.#from(event)), { signal })
    // Not passive, so that the page is not zoomed or scrolled besides.
    stage.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false })
  }

  get count(): number {
    return this.#down.size
  }

  close(): void {
    this.#ending.abort()
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return
    this.#stage.setPointerCapture(event.pointerId)
    this.#down.set(event.pointerId, this.#from(event))
    this.#wasPinched = this.#down.size > 1
  }

  #move(event: PointerEvent): void {
    const before = this.#down.get(event.pointerId)
    if (!before) return
    const now = this.#from(event)
    const other = [...this.#down].find(([id]) => id !== event.pointerId)?.[1]
    this.#down.set(event.pointerId, now)
    if (other) this.#pinch(before, now, other)
    else if (this.#zoom().now().zoom > 1) this.#zoom().panBy({ x: now.x - before.x, y: now.y - before.y })
  }

  #pinch(before: Point, now: Point, other: Point): void {
    const factor = distance(now, other) / (distance(before, other) || 1)
    const centre = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
    const zoom = this.#zoom()
    zoom.zoomTo(clampZoom(zoom.now().zoom * factor), centre)
    zoom.panBy({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 })
  }

  #lift(event: PointerEvent): void {
    const start = this.#down.get(event.pointerId)
    this.#down.delete(event.pointerId)
    if (start && event.type === 'pointerup' && event.pointerType === 'touch' && !this.#wasPinched) this.#endTap(event)
  }

  // Browsers make no double click of touches where the page handles gestures itself.
  #endTap(event: PointerEvent): void {
    const at = this.#from(event)
    const last = this.#tap
    const isSecond = last && event.timeStamp - last.time < doubleTapTime && distance(at, last.at) < tapDistance
    this.#tap = isSecond ? undefined : { at, time: event.timeStamp }
    if (isSecond) this.#zoom().cycle(at)
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault()
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40
    // With Ctrl it is a pinch on a touchpad, which sends small steps.
    const steps = Math.max(-1, Math.min(1, (-pixels * (event.ctrlKey ? 4 : 1)) / wheelStep))
    const zoom = this.#zoom()
    zoom.zoomTo(zoom.now().zoom + steps * zoomStep, this.#from(event))
  }

  /** A place from the middle of the stage. */
  #from({ clientX, clientY }: MouseEvent): Point {
    const { left, top, width, height } = this.#stage.getBoundingClientRect()
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)
