/** Moves the focus to the next or the previous region of the page: sidebar, list, shell, transfers. */
export function stepRegion(by: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isShown)
  const current = document.activeElement?.closest<HTMLElement>('[data-region]')
  const at = current ? regions.indexOf(current) : by > 0 ? -1 : 0
  const next = regions[(at + by + regions.length) % regions.length]
  if (next) targetIn(next).focus()
}

// The tab stop of a list, or what is marked with data-start, else the first focusable element, else the region itself.
function targetIn(region: HTMLElement): HTMLElement {
  const inside = [...region.querySelectorAll<HTMLElement>('[data-entry][tabindex="0"], [data-start], a[href], button, input')]
  const own = inside.filter((element) => element.closest('[data-region]') === region && isReachable(element))
  return own.find(({ dataset }) => (dataset.entry ?? dataset.start) !== undefined) ?? own[0] ?? region
}

const isReachable = (element: HTMLElement) => isShown(element) && element.tabIndex >= 0 && !element.matches(':disabled')
const isShown = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true })
