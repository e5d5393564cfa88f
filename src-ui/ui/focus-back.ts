/**
 * Returns the focus to the element that opened a dialog or a menu, unless another element has taken it. When that element no
 * longer exists, the current row of the listing or else the main content is focused.
 */
export function focusBack(invoker: Element | null): void {
  if (document.activeElement !== document.body) return
  if (invoker instanceof HTMLElement) invoker.focus({ preventScroll: true })
  for (const place of ['[data-entry][tabindex="0"]', '#main'])
    if (document.activeElement === document.body) document.querySelector<HTMLElement>(place)?.focus({ preventScroll: true })
}
