// Texts that are cut, that leave their box or the window, or that lie on other texts. Runs in the page.
import { scrolled, selectorOf, shortened } from './exempt.ts'
import { ancestorsOf, type Box, intersect, isSeen, paddingBox, type VisibleText } from './visible-texts.ts'

export type Kind = 'cut' | 'leaves its box' | 'leaves the window' | 'overlaps' | 'scrolls sideways' | 'too wide' | 'direction'

export type Finding = { kind: Kind; element: Element; text: string; detail: string }

/** Pixels by which boxes may differ: positions are fractions. */
const tolerance = 1
/** The height of a font's letters is more than that of most letters, and a line may be lower. */
const lineTolerance = 3

const mayBeShort = selectorOf(shortened)
const mayScroll = selectorOf(scrolled)

export function findCuts(texts: readonly VisibleText[]): Finding[] {
  return [...texts.flatMap((text) => cutOf(text) ?? outsideOf(text) ?? []), ...overlaps(texts)]
}

/** @returns the first of the boxes around a text that cuts it, or that it leaves */
function cutOf({ element, text, lines }: VisibleText): Finding | undefined {
  if (element.closest(mayBeShort)) return undefined
  let inX = true
  let inY = true
  // What floats is not part of the box that it stands at, but it can be cut.
  let floats = false
  for (const ancestor of ancestorsOf(element)) {
    const { overflowX, overflowY, position } = getComputedStyle(ancestor)
    const isVisible = overflowX === 'visible' && overflowY === 'visible'
    if (floats && isVisible) continue
    floats ||= position === 'absolute'
    const box = paddingBox(ancestor)
    if (overflowX === 'auto' || overflowX === 'scroll') inX = false
    if (overflowY === 'auto' || overflowY === 'scroll') inY = false
    const cutsOrFrames = !isVisible || isFramed(ancestor)
    const beyond = { x: inX ? excessX(lines, box) : 0, y: inY && cutsOrFrames ? excessY(lines, box) : 0 }
    if (beyond.x > tolerance || beyond.y > lineTolerance) {
      const isCut = (beyond.x > tolerance && overflowX !== 'visible') || (beyond.y > lineTolerance && overflowY !== 'visible')
      const detail = `${nameOf(ancestor)} by ${Math.round(beyond.x)} × ${Math.round(beyond.y)} px`
      return { kind: isCut ? 'cut' : 'leaves its box', element, text, detail }
    }
    if (!inX && !inY) return undefined
  }
  return undefined
}

/** Has an edge that is seen. */
function isFramed(element: Element): boolean {
  const { backgroundColor, boxShadow, borderTopWidth, borderBottomWidth } = getComputedStyle(element)
  return backgroundColor !== transparent || boxShadow !== 'none' || borderTopWidth !== '0px' || borderBottomWidth !== '0px'
}

const transparent = 'rgba(0, 0, 0, 0)'

const excessX = (lines: readonly Box[], box: Box) =>
  Math.max(...lines.map(({ left, right }) => Math.max(box.left - left, right - box.right)))

const excessY = (lines: readonly Box[], box: Box) =>
  Math.max(...lines.map(({ top, bottom }) => Math.max(box.top - top, bottom - box.bottom)))

function outsideOf({ element, text, shown }: VisibleText): Finding | undefined {
  const beyond = Math.max(...shown.map(({ left, right }) => Math.max(-left, right - innerWidth)))
  return beyond > tolerance ? { kind: 'leaves the window', element, text, detail: `by ${Math.round(beyond)} px` } : undefined
}

/** Texts of one layer that lie on each other. What floats above the page may cover its texts. */
function overlaps(texts: readonly VisibleText[]): Finding[] {
  const boxes = texts
    .flatMap(({ element, text, shown }) => shown.map((box) => ({ element, text, box: inner(box), layer: layerOf(element) })))
    .sort((one, other) => one.box.top - other.box.top)
  return boxes.flatMap((one, index) => {
    for (const other of boxes.slice(index + 1)) {
      if (other.box.top >= one.box.bottom) return []
      if (other.layer !== one.layer || isSame(one.element, other.element) || !intersect(one.box, other.box)) continue
      return [
        {
          kind: 'overlaps' as const,
          element: one.element,
          text: one.text,
          detail: `on "${other.text}" in ${nameOf(other.element)}`,
        },
      ]
    }
    return []
  })
}

/** Where the letters are. */
function inner({ left, top, right, bottom }: Box): Box {
  const margin = (bottom - top) * 0.22
  return { left: left + 1, top: top + margin, right: right - 1, bottom: bottom - margin }
}

const isSame = (one: Element, other: Element) => one === other

function layerOf(element: Element): Element {
  let layer: Element = element
  for (const ancestor of ancestorsOf(element)) {
    layer = ancestor
    if (['fixed', 'absolute', 'sticky'].includes(getComputedStyle(ancestor).position)) return ancestor
  }
  return layer.parentElement ?? layer
}

/** The page, and the scroll areas, that are too narrow for what they hold. */
export function findSideways(): Finding[] {
  const { documentElement } = document
  const isWide = documentElement.scrollWidth > innerWidth + tolerance
  const page: Finding[] = isWide
    ? [{ kind: 'too wide', element: documentElement, text: '', detail: `${documentElement.scrollWidth} px` }]
    : []
  const areas = [...document.body.querySelectorAll('*')].filter(
    (element) =>
      element.scrollWidth > element.clientWidth + tolerance &&
      element.clientWidth > 0 &&
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) &&
      isSeen(element) &&
      !element.closest(mayScroll),
  )
  return [
    ...page,
    ...areas.map(
      (element): Finding => ({
        kind: 'scrolls sideways',
        element,
        text: '',
        detail: `${element.scrollWidth} in ${element.clientWidth} px`,
      }),
    ),
  ]
}

/** An element in a few words: its name and classes, and those of what it is in. */
export function nameOf(element: Element): string {
  const own = (one: Element) => one.localName + [...one.classList].map((name) => `.${name}`).join('')
  const parent = element.parentElement
  return parent && parent !== document.body ? `${own(parent)} > ${own(element)}` : own(element)
}
