// The texts that are drawn, with the part of each that is shown. Runs in the page.
import { selectorOf, unseen } from './exempt.ts'

export type Box = { left: number; top: number; right: number; bottom: number }

export type VisibleText = {
  /** The parent of the text. */
  element: Element
  text: string
  /** The whole text, line by line, and what is shown of it. */
  lines: readonly Box[]
  shown: readonly Box[]
}

const hidden = selectorOf(unseen)

export function visibleTexts(root: Element): VisibleText[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const found: VisibleText[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = (node.textContent ?? '').replace(/\s+/g, ' ').trim()
    if (!element || text === '' || !isSeen(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
    const shown = lines.map((line) => drawnPart(line, element)).filter((line) => line !== undefined)
    if (shown.length > 0) found.push({ element, text, lines, shown })
  }
  return found
}

/** Drawn at all: not hidden, not transparent, and not for screen readers alone. */
export function isSeen(element: Element): boolean {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || element.closest(hidden)) return false
  for (let one: Element | null = element; one; one = one.parentElement)
    if (getComputedStyle(one).clipPath === 'inset(50%)') return false
  return true
}

/** The part of a box that the elements around it show; undefined when they show nothing of it. */
function drawnPart(box: Box, element: Element): Box | undefined {
  let shown: Box | undefined = box
  for (const ancestor of ancestorsOf(element)) {
    const { overflowX, overflowY } = getComputedStyle(ancestor)
    if (overflowX === 'visible' && overflowY === 'visible') continue
    shown = shown && intersect(shown, paddingBox(ancestor))
  }
  return shown
}

/** The element and those around it that can cut it or give it space, the nearest first, without the document. */
export function* ancestorsOf(element: Element): Generator<Element> {
  let current: Element | null = element
  while (current && current !== document.body && current !== document.documentElement) {
    const { display, position } = getComputedStyle(current)
    if (display !== 'contents' && display !== 'inline') yield current
    if (position === 'fixed') return
    current = position === 'absolute' && current instanceof HTMLElement ? current.offsetParent : current.parentElement
  }
}

/** The inside of the border, where `overflow` cuts. */
export function paddingBox(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect()
  const { borderLeftWidth, borderTopWidth, borderRightWidth, borderBottomWidth } = getComputedStyle(element)
  return {
    left: left + Number.parseFloat(borderLeftWidth),
    top: top + Number.parseFloat(borderTopWidth),
    right: left + width - Number.parseFloat(borderRightWidth),
    bottom: top + height - Number.parseFloat(borderBottomWidth),
  }
}

export function intersect(one: Box, other: Box): Box | undefined {
  const box = {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  }
  return box.right - box.left > 0.5 && box.bottom - box.top > 0.5 ? box : undefined
}
