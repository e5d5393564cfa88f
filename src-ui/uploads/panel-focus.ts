// The focus in the transfers panel, whose buttons come and go with what is under way.
import { focusBack } from '../ui/focus-back.ts'

/**
 * Follows the panel, as its `ref`. When the element that has the focus goes, a heading gets it, and when the panel goes the listing: else
 * nothing would have it.
 */
export function keepFocus(panel: HTMLElement): () => void {
  let last: EventTarget | null = null
  const come = ({ target }: FocusEvent) => {
    last = target
  }
  // An element that has gone leaves the focus too.
  const leave = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      if (last === target && !isGone(last) && document.activeElement !== last) last = null
    })
  const changes = new MutationObserver(() => {
    if (isGone(last) && document.activeElement === document.body) focusHeading(panel.querySelector('h2'))
  })
  panel.addEventListener('focusin', come)
  panel.addEventListener('focusout', leave)
  changes.observe(panel, { childList: true, subtree: true })
  return () => {
    changes.disconnect()
    // It is gone after this.
    queueMicrotask(() => isGone(last) && focusBack(null))
  }
}

/** The last acts are the last part of the panel. */
export const focusActs = (): void => focusHeading([...document.querySelectorAll<HTMLElement>('.transfers h2')].at(-1))

const isGone = (element: EventTarget | null): boolean => element instanceof Element && !element.isConnected

function focusHeading(heading: HTMLElement | null | undefined): void {
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
