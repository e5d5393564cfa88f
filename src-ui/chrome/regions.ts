/** Takes the keyboard to the next part of the page, or to the one before: the sidebar, the list, the transfers. */
export function stepRegion(by: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isShown)
  const here = document.activeElement?.closest<HTMLElement>('[data-region]')
  const at = here ? regions.indexOf(here) : by > 0 ? -1 : 0
  const next = regions[(at + by + regions.length) % regions.length]
  if (next) placeIn(next).focus()
}

// Where the keyboard stands in a list, else what comes first, else the part itself.
function placeIn(region: HTMLElement): HTMLElement {
  const inside = [...region.querySelectorAll<HTMLElement>('[data-entry][tabindex="0"], a[href], button, input')]
  const own = inside.filter((element) => element.closest('[data-region]') === region && isReachable(element))
  return own.find((element) => element.dataset.entry !== undefined) ?? own[0] ?? region
}

const isReachable = (element: HTMLElement) => isShown(element) && element.tabIndex >= 0 && !element.matches(':disabled')
const isShown = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true })
