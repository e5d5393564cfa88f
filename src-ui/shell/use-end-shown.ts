import { type RefObject, useEffect, useRef } from 'react'

/** Pixels from the end within which the end counts as shown. */
const endDistance = 24

/** Keeps the end in view while content is added, unless the person has scrolled away from it. @param running a new one is shown again */
export function useEndShown(area: RefObject<HTMLElement | null>, running: object | undefined) {
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (running) isAtEnd.current = true
  }, [running])
  useEffect(() => {
    const { current } = area
    if (!current) return
    const observer = new ResizeObserver(() => {
      current.style.setProperty('--shell-view', `${current.clientHeight}px`)
      if (isAtEnd.current) current.scrollTop = current.scrollHeight
    })
    observer.observe(current)
    if (current.firstElementChild) observer.observe(current.firstElementChild)
    const endFollowing = followPerson(current, (is) => {
      isAtEnd.current = is
    })
    return () => {
      observer.disconnect()
      endFollowing()
    }
  }, [area])
}

/** Tells after each scrolling whether the end is shown. The browser scrolls too, when content shrinks or gets the focus: only what the person does leads away. */
function followPerson(area: HTMLElement, tell: (isAtEnd: boolean) => void): () => void {
  let isByPerson = false
  const begin = (event: Event) => {
    // A press on the area itself is one on its scroll bar.
    if (event.type !== 'pointerdown' || event.target === area) isByPerson = true
  }
  const end = () => {
    isByPerson = false
  }
  const note = () => {
    const isThere = area.scrollHeight - area.scrollTop - area.clientHeight < endDistance
    if (isThere || isByPerson) tell(isThere)
  }
  const listeners = Object.entries({ wheel: begin, touchmove: begin, pointerdown: begin, scroll: note, scrollend: end })
  for (const [name, listener] of listeners) area.addEventListener(name, listener, { passive: true })
  return () => {
    for (const [name, listener] of listeners) area.removeEventListener(name, listener)
  }
}
