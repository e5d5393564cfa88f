import type { SortedEntries } from '../core/entries.ts'

/** Rows in the order in which they are shown. */
type Ordered<Row extends { key: string } = { key: string }> = Pick<SortedEntries, 'indexOf'> & { entries: readonly Row[] }

/** The selection by key, which is kept by sorting, refreshing and live changes. */
export type Selection = {
  /** In the order in which they were selected: the first is the anchor of ranges. */
  readonly keys: ReadonlySet<string>
  /** The key of the entry with the keyboard's focus. */
  readonly focus: string | undefined
}

export const nothingSelected: Selection = { keys: new Set(), focus: undefined }

/** Selects only this entry. */
export function selectOnly(key: string): Selection {
  return { keys: new Set([key]), focus: key }
}

/** Adds an entry to the selection, or removes it. */
export function toggle(from: Selection, key: string): Selection {
  const keys = new Set(from.keys)
  if (!keys.delete(key)) keys.add(key)
  return { keys, focus: key }
}

/** Selects everything between the anchor (the first selected entry) and this one; `add` keeps the rest of the selection. */
export function selectRange(from: Selection, order: Ordered, key: string, { add = false } = {}): Selection {
  const anchor = anchorOf(from, order) ?? key
  const ends = [order.indexOf(anchor) ?? 0, order.indexOf(key) ?? 0] as const
  const between = order.entries.slice(Math.min(...ends), Math.max(...ends) + 1).map((entry) => entry.key)
  return { keys: new Set([anchor, ...(add ? from.keys : []), ...between]), focus: key }
}

export function selectAll(from: Selection, order: Ordered): Selection {
  return { keys: new Set(order.entries.map((entry) => entry.key)), focus: from.focus }
}

/** Selects nothing and keeps the focus. */
export function clearSelection(from: Selection): Selection {
  return from.keys.size === 0 ? from : { keys: new Set(), focus: from.focus }
}

/** Moves the focus and keeps the selection. */
export function focusOn(from: Selection, key: string): Selection {
  return from.focus === key ? from : { keys: from.keys, focus: key }
}

/** The rest of a selection after the folder has changed. The focus moves from a removed entry to its neighbour. */
export function keepPresent(from: Selection, before: Ordered, now: Ordered): Selection {
  const keys = new Set([...from.keys].filter((key) => now.indexOf(key) !== undefined))
  return { keys, focus: successor(from.focus, before, now) }
}

/** The selected entries, in the order in which they are shown. */
export function selectedIn<Row extends { key: string }>(order: Ordered<Row>, { keys }: Selection): Row[] {
  if (keys.size === 0) return []
  return [...keys]
    .map((key) => order.indexOf(key))
    .filter((index) => index !== undefined)
    .sort((a, b) => a - b)
    .map((index) => order.entries[index] as Row)
}

function anchorOf({ keys, focus }: Selection, order: Ordered): string | undefined {
  for (const key of keys) if (order.indexOf(key) !== undefined) return key
  return order.indexOf(focus) === undefined ? undefined : focus
}

function successor(focus: string | undefined, before: Ordered, now: Ordered): string | undefined {
  if (focus === undefined || now.indexOf(focus) !== undefined) return focus
  const from = before.indexOf(focus) ?? 0
  const after = before.entries.slice(from).find((entry) => now.indexOf(entry.key) !== undefined)
  return (after ?? before.entries.slice(0, from).findLast((entry) => now.indexOf(entry.key) !== undefined))?.key
}
