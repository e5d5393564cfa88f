import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { SortedEntries } from '../core/entries.ts'
import type { RowLayout } from './row-layout.ts'
import type { VirtualRows } from './virtual-rows.ts'

type VisibleRows = {
  shown: SortedEntries
  lines: RowLayout
  virtual: VirtualRows
  /** The key of the entry with the focus. */
  focus: string | undefined
  /** Differs when the same entries are shown in another order. */
  order: string
}

/** An entry in view, and how far its line begins below the upper edge of the pane, in pixels. */
type Anchor = { key: string; offset: number }

/**
 * Keeps what is in view in its place when entries are inserted or removed above it: the focused entry if it is in view, else the
 * first one that is still there. At the top of the folder nothing is kept, so that new entries are seen.
 */
export function useScrollAnchor(pane: RefObject<HTMLElement | null>, now: VisibleRows): void {
  const before = useRef({ now, anchors: [] as Anchor[] })
  // Scrolling renders again, so these are the positions of the last rendering with the same entries.
  if (before.current.now.shown === now.shown) before.current = { now, anchors: anchorsOf(now) }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once whenever the entries are others
  useLayoutEffect(() => {
    const { now: then, anchors } = before.current
    before.current = { now, anchors: [] }
    if (then.shown === now.shown || then.order !== now.order || !pane.current) return
    const kept = anchors.find(({ key }) => now.shown.indexOf(key) !== undefined)
    const start = kept && startOf(now, kept.key)
    if (!kept || start === undefined) return
    now.virtual.scrollTo(pane.current, start - kept.offset)
  }, [now.shown])
}

function anchorsOf({ shown, lines, virtual, focus }: VisibleRows): Anchor[] {
  const { range, scrollOffset, margin } = virtual
  if (!range || scrollOffset < margin + 1) return []
  const anchors: Anchor[] = []
  for (let line = range.first; line <= range.last; line++) {
    const row = lines.at(line)
    const edges = virtual.edgesOf(line)
    if (row.kind === 'heading' || !edges || edges.start < scrollOffset) continue
    for (let index = row.from; index < row.to; index++) {
      const key = shown.entries[index]?.key
      if (key !== undefined) anchors.push({ key, offset: edges.start - scrollOffset })
    }
  }
  return anchors.sort((one, other) => Number(other.key === focus) - Number(one.key === focus))
}

function startOf({ shown, lines, virtual }: VisibleRows, key: string): number | undefined {
  return virtual.edgesOf(lines.lineOf(shown.indexOf(key) ?? 0))?.start
}
