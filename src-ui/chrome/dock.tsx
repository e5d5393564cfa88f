import { type ReactNode, useEffect, useRef } from 'react'

/**
 * The panels of the page: what stands below the listing, or floats above its end. How much of its height they take is told to the main
 * part: `--dock-below`, over which the others float, and `--dock-over`, which lists leave free at their end.
 */
export function Dock({ children }: { children: ReactNode }) {
  const dock = useRef<HTMLDivElement>(null)
  useEffect(() => (dock.current ? follow(dock.current) : undefined), [])
  return (
    <div className="dock" ref={dock}>
      {children}
    </div>
  )
}

function follow(dock: HTMLElement): () => void {
  const main = dock.parentElement
  const panels = () => [...dock.children].filter((panel) => panel instanceof HTMLElement)
  let over = 0
  const tell = () => {
    const heights = { below: 0, over: 0 }
    for (const panel of panels())
      heights[getComputedStyle(panel).position === 'absolute' ? 'over' : 'below'] += panel.offsetHeight
    for (const [place, height] of Object.entries(heights)) main?.style.setProperty(`--dock-${place}`, `${height}px`)
    if (heights.over > over) uncoverFocus()
    over = heights.over
  }
  const sizes = new ResizeObserver(tell)
  const watch = () => {
    sizes.disconnect()
    for (const panel of panels()) sizes.observe(panel)
    tell()
  }
  const changes = new MutationObserver(watch)
  changes.observe(dock, { childList: true })
  watch()
  return () => {
    changes.disconnect()
    sizes.disconnect()
  }
}

/** An entry that has the focus of the keyboard is not covered by a panel that opens or grows. */
function uncoverFocus(): void {
  const { activeElement: active } = document
  if (active?.matches(':focus-visible')) active.closest('.pane [data-entry]')?.scrollIntoView({ block: 'nearest' })
}
