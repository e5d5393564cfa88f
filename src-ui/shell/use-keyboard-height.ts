import { useEffect, useState } from 'react'

/** How many pixels of the window a keyboard on the screen covers. Browsers of phones do not shrink the page for it. */
export function useKeyboardHeight(): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    // A zoomed page is partly outside of the window too.
    const measure = () => setHeight(viewport.scale > 1.05 ? 0 : Math.max(0, innerHeight - viewport.height - viewport.offsetTop))
    measure()
    viewport.addEventListener('resize', measure)
    viewport.addEventListener('scroll', measure)
    return () => {
      viewport.removeEventListener('resize', measure)
      viewport.removeEventListener('scroll', measure)
    }
  }, [])
  return height
}
