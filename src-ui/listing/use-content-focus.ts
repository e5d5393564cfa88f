import { useEffect } from 'react'

/** Whether something has had the focus since the page was loaded. */
let isUsed = false
globalThis.document?.addEventListener('focusin', () => (isUsed = true), { once: true })

/**
 * Gives the focus to the content when what had it is no longer drawn, as the rows of the folder before. It stays at the start of a page
 * that was just loaded, where the skip link is.
 * @param shown differs whenever other content is drawn
 */
export function useContentFocus(shown: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each content
  useEffect(() => {
    if (isUsed && document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }, [shown])
}
