/** How near to an edge it scrolls, in pixels. */
const edge = 32
/** The most that is scrolled in a frame, in pixels. */
const fastest = 18

/** How far to scroll in a frame while a drag is at this height, in pixels; the nearer to the edge, the faster. */
export function edgeSpeed(y: number, { top, bottom }: { top: number; bottom: number }): number {
  if (y < top + edge) return -Math.ceil(fastest * Math.min(1, (top + edge - y) / edge))
  if (y > bottom - edge) return Math.ceil(fastest * Math.min(1, (y - bottom + edge) / edge))
  return 0
}

type Scrolling = {
  /** The pane; another one once another folder is shown. */
  pane(): Element | null
  /** What lies under the pointer is something else now. */
  moved(): void
}

/** Scrolls the pane while a drag is near its upper or lower edge. */
export function scrollAtEdges({ pane, moved }: Scrolling): { at(y: number): void; stop(): void } {
  let frame = 0
  let height = Number.NaN
  const tick = () => {
    frame = 0
    const element = pane()
    if (!element) return
    const before = element.scrollTop
    element.scrollTop += edgeSpeed(height, element.getBoundingClientRect())
    if (element.scrollTop === before) return
    moved()
    frame = requestAnimationFrame(tick)
  }
  return {
    at(y) {
      height = y
      if (frame === 0) frame = requestAnimationFrame(tick)
    },
    stop: () => cancelAnimationFrame(frame),
  }
}
