/**
 * Gives the focus back to what opened a dialog or a menu. Whoever took it meanwhile keeps it. What opened it may be
 * gone: then the reading order begins at the content.
 */
export function focusBack(invoker: Element | null): void {
  if (document.activeElement !== document.body) return
  if (invoker instanceof HTMLElement) invoker.focus({ preventScroll: true })
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
}
