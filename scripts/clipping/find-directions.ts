// What is laid out against the direction of the page. Runs in the page.
import { content, selectorOf } from './exempt.ts'
import type { Finding } from './find-cuts.ts'
import { isSeen } from './visible-texts.ts'

/** Marked on purpose: addresses, numbers with units, keys. Everything inside follows the mark. */
const marked = `${selectorOf(content)}, [dir="ltr"]:not(html), svg, input, textarea`

/** The outermost elements whose direction is not that of the page. */
export function findDirections(): Finding[] {
  const page = getComputedStyle(document.documentElement).direction
  const found = [...document.body.querySelectorAll('*')].filter(
    (element) => getComputedStyle(element).direction !== page && !element.closest(marked) && isSeen(element),
  )
  const all = new Set(found)
  return found
    .filter(({ parentElement }) => !parentElement || !all.has(parentElement))
    .map((element) => ({
      kind: 'direction',
      element,
      text: (element.textContent ?? '').trim().slice(0, 80),
      detail: `${getComputedStyle(element).direction} in a page that is ${page}`,
    }))
}
