import type { Measures } from './measures.ts'
import type { RowLayout } from './row-layout.ts'

/** The edges of a line in pixels below the top of what is scrolled. */
export type Edges = Readonly<{ start: number; end: number }>

/** Lines that are drawn above and below those in view. */
const overscan = 6

/** Which lines of the listing are near the window. All heights are known, so that nothing has to be measured. */
export class VirtualRows {
  /** Pixels that the pane is scrolled. */
  scrollOffset: number
  /** Called when other lines are to be drawn. */
  onOthers: () => void = () => {}
  /** Pixels of the pane. */
  height = 0
  /** Pixels of what stands above the lines, and stays there. */
  margin = 0
  /** The first and the last line in view; undefined without lines. */
  range: Readonly<{ first: number; last: number }> | undefined
  /** Where each line begins below the first one, and where the last one ends. */
  #starts: Float64Array = new Float64Array(1)

  constructor(scrollOffset: number) {
    this.scrollOffset = scrollOffset
  }

  get count(): number {
    return this.#starts.length - 1
  }

  /** Pixels of all lines. */
  get totalSize(): number {
    return this.#starts[this.count] ?? 0
  }

  layOut(lines: RowLayout, measures: Measures): void {
    const starts = new Float64Array(lines.count + 1)
    for (let line = 0, end = 0; line < lines.count; line++) {
      end += measures.heightOf(lines.at(line))
      starts[line + 1] = end
    }
    this.#starts = starts
  }

  edgesOf(line: number): Edges | undefined {
    const [start, end] = [this.#starts[line], this.#starts[line + 1]]
    return start === undefined || end === undefined ? undefined : { start: start + this.margin, end: end + this.margin }
  }

  /** Scrolls the pane, and draws the lines there now: the scroll event comes later. */
  scrollTo(pane: HTMLElement, top: number): void {
    pane.scrollTop = top
    this.scrollOffset = pane.scrollTop
    if (this.update()) this.onOthers()
  }

  /**
   * The scroll position that brings a line into view; undefined when it is in view.
   * @param covered pixels that panels cover at the end of the pane, as far as that leaves room for the line
   */
  nearest({ start, end }: Edges, covered = 0): number | undefined {
    const { scrollOffset: top, height, margin } = this
    const free = Math.min(height, Math.max(height - covered, margin + end - start))
    if (end > top + free) return end - free
    return start < top + margin ? start - margin : undefined
  }

  /** Sets the lines in view. @returns whether they are others than before */
  update(): boolean {
    const before = this.range
    this.range = this.#rangeInView()
    return before?.first !== this.range?.first || before?.last !== this.range?.last
  }

  /** The lines to draw: those near the window, and one more. */
  drawn(more: number | undefined): number[] {
    if (!this.range) return []
    const first = Math.max(0, this.range.first - overscan)
    const last = Math.min(this.count - 1, this.range.last + overscan)
    const near = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    if (more === undefined || more >= this.count || (first <= more && more <= last)) return near
    return more < first ? [more, ...near] : [...near, more]
  }

  #rangeInView(): VirtualRows['range'] {
    if (this.count === 0) return undefined
    const top = this.scrollOffset - this.margin
    return { first: this.#lineAt(top), last: this.#lineAt(top + this.height - 1) }
  }

  /** The line at a number of pixels below the first line; the first or the last one beyond them. */
  #lineAt(position: number): number {
    let [low, high] = [0, this.count - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#starts[middle] ?? 0) <= position) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Pixels that panels cover at the end of a pane. */
export const coveredIn = (pane: HTMLElement): number => Number.parseFloat(getComputedStyle(pane).scrollPaddingBlockEnd) || 0
