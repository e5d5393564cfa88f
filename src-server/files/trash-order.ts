// The orders in which the trash is listed.
import { nameOf } from '../base/paths.ts'
import { eachYielding, sortYielding } from '../base/yield-to-event-loop.ts'
import type { TrashedItem } from '../disk/disk.ts'
import type { TrashOrder } from '../trash/sorted-items.ts'
import type { ListTrash } from './own-trash.ts'
import { type NameKey, nameOrder } from './sorting.ts'

/** Items that are equal are in the order of their paths, and each has one place. */
export function trashOrder(by: ListTrash['by'], asc: boolean, locale: string): TrashOrder<NameKey | undefined> {
  const direction = asc ? 1 : -1
  const names = nameOrder(locale)
  type Keyed = Readonly<{ item: TrashedItem; key: NameKey | undefined }>
  const compareBy = {
    date: ({ item: a }: Keyed, { item: b }: Keyed) => a.at - b.at,
    size: ({ item: a }: Keyed, { item: b }: Keyed) => (a.size ?? -1) - (b.size ?? -1),
    name: ({ key: a }: Keyed, { key: b }: Keyed) => (a && b ? names.compare(a, b) : 0),
  }[by]
  return {
    name: by === 'name' ? `${by} ${asc} ${locale}` : `${by} ${asc}`,
    keyOf: ({ path }) => (by === 'name' ? names.keyOf(nameOf(path)) : undefined),
    compare: (a, b) => direction * compareBy(a, b) || byPath(a, b),
  }
}

type Listed = Readonly<{ item: TrashedItem }>
type UnknownHow = Readonly<{ asc: boolean; signal: AbortSignal; isUnknown(item: TrashedItem): boolean }>

/** The items that are sorted by size, with further ones among those of unknown size. */
export async function withUnknownSizes(
  sorted: readonly Listed[],
  { asc, signal, isUnknown }: UnknownHow,
): Promise<readonly Listed[]> {
  const [known, unknown]: [Listed[], Listed[]] = [[], []]
  const part = (one: Listed) => void (one.item.size === undefined || isUnknown(one.item) ? unknown : known).push(one)
  await eachYielding(sorted, part, signal)
  const rest = await sortYielding(unknown, byPath, signal)
  return asc ? [...rest, ...known] : [...known, ...rest]
}

function byPath({ item: a }: Listed, { item: b }: Listed): number {
  return texts(a.path, b.path) || texts(a.id, b.id)
}

const texts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
