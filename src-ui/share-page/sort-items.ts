import type { SharedItem } from './shared-items.tsx'

export const orders = ['name', 'size', 'modified'] as const

/** How the items of a folder are sorted. */
export type ItemOrder = Readonly<{ by: (typeof orders)[number]; asc: boolean }>

/** What a press on a column's name leads to: the other direction, or another column as the listing begins it. */
export const pressed = (before: ItemOrder, by: ItemOrder['by']): ItemOrder =>
  before.by === by ? { by, asc: !before.asc } : { by, asc: by === 'name' }

/** Folders first. @param items by name, as the server sends them */
export function sortItems(items: readonly SharedItem[], { by, asc }: ItemOrder): SharedItem[] {
  const ordered = by === 'name' ? [...items] : items.toSorted((one, other) => numberOf(one, by) - numberOf(other, by))
  if (!asc) ordered.reverse()
  return [...ordered.filter(({ isDir }) => isDir), ...ordered.filter(({ isDir }) => !isDir)]
}

const numberOf = ({ size, modified }: SharedItem, by: 'size' | 'modified') => (by === 'size' ? size : Date.parse(modified))
