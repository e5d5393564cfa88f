/** Pixels from an edge within which the pane scrolls. */
const edge = 32
/** The maximum pixels scrolled per frame. */
const fastest = 18

/** Pixels to scroll per frame for a pointer at height `y`; more the nearer it is to the edge. */
export function edgeSpeed(y: number, { top, bottom }: { top: number; bottom: number }): number {
  if (y < top + edge) return -Math.ceil(fastest * Math.min(1, (top + edge - y) / edge))
  if (y > bottom - edge) return Math.ceil(fastest * Math.min(1, (y - bottom + edge) / edge))
  return 0
}

type Scrolling = {
  /** The pane, which changes when another folder is opened. */
  pane(): Element | null
  /** Called after scrolling: another entry is under the pointer. */
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
