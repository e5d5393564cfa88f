/**
 * Returns the focus to the element that opened a dialog or a menu, unless another element has taken it. When that element no
 * longer exists, the main content is focused.
 */
export function focusBack(invoker: Element | null): void {
  if (document.activeElement !== document.body) return
  if (invoker instanceof HTMLElement) invoker.focus({ preventScroll: true })
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
}
