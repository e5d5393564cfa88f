// All that is in the trash in the orders that were asked for, which changes follow one by one: sorting 100,000 items takes a second.
import { eachYielding, sortYielding } from '../base/yield-to-event-loop.ts'
import type { TrashedItem } from '../disk/disk.ts'

/** `compare` answers 0 only for the same item, so that each has one place. */
export type TrashOrder<Key = unknown> = Readonly<{
  /** Tells this order from others. */
  name: string
  keyOf(item: TrashedItem): Key
  compare(one: Keyed<Key>, other: Keyed<Key>): number
}>

type Keyed<Key> = Readonly<{ item: TrashedItem; key: Key }>

/** `later`: what has changed while it was sorted for the first time. `unasked`: changes since it was asked for. */
type List = {
  order: TrashOrder
  entries: Keyed<unknown>[]
  later: (() => void)[] | undefined
  sorted: Promise<void>
  unasked: number
}

/** Orders that are kept: each takes about 40 bytes for an item, those of names up to 200 more. */
const mostOrders = 6
/** Changes that an order follows for nobody: each takes 0.1 ms in a list of 50,000. */
const mostUnasked = 500

export class SortedItems {
  readonly #lists = new Map<string, List>()
  readonly #items: () => Iterable<TrashedItem>

  /** @param items all of this moment */
  constructor(items: () => Iterable<TrashedItem>) {
    this.#items = items
  }

  /** All items in an order, as they are now. @param order with the same name always the same one */
  async in<Key>(order: TrashOrder<Key>): Promise<readonly Readonly<{ item: TrashedItem }>[]> {
    const list = this.#lists.get(order.name) ?? this.#begin(order as TrashOrder)
    // The one that was asked for last goes last.
    this.#lists.delete(order.name)
    this.#lists.set(order.name, list)
    list.unasked = 0
    await list.sorted
    return list.entries.slice()
  }

  add(item: TrashedItem): void {
    for (const list of this.#lists.values()) {
      this.#change(list, () => {
        const { at, entry } = placeIn(list, item)
        list.entries.splice(at, 0, entry)
      })
    }
  }

  /** @param item as it was added */
  drop(item: TrashedItem): void {
    for (const list of this.#lists.values()) {
      this.#change(list, () => {
        const { at } = placeIn(list, item)
        if (list.entries[at]?.item.id === item.id) list.entries.splice(at, 1)
      })
    }
  }

  #change(list: List, work: () => void) {
    // Somebody waits for it.
    if (list.later) list.later.push(work)
    else if (++list.unasked > mostUnasked) this.#lists.delete(list.order.name)
    else work()
  }

  #begin(order: TrashOrder): List {
    const [oldest] = this.#lists.keys()
    if (oldest !== undefined && this.#lists.size >= mostOrders) this.#lists.delete(oldest)
    const list: List = { order, entries: [], later: [], sorted: Promise.resolve(), unasked: 0 }
    list.sorted = sort(list, [...this.#items()]).catch((error: unknown) => {
      this.#lists.delete(order.name)
      throw error
    })
    return list
  }
}

async function sort(list: List, items: readonly TrashedItem[]): Promise<void> {
  const { order } = list
  const keyed: Keyed<unknown>[] = []
  await eachYielding(items, (item) => void keyed.push({ item, key: order.keyOf(item) }))
  list.entries = await sortYielding(keyed, (one, other) => order.compare(one, other))
  // More may change in the pauses.
  while (list.later?.length) await eachYielding(list.later.splice(0), (work) => work(), undefined, 1)
  list.later = undefined
}

/** Where an item is, or would be. */
function placeIn({ entries, order }: List, item: TrashedItem): { at: number; entry: Keyed<unknown> } {
  const entry = { item, key: order.keyOf(item) }
  let [from, to] = [0, entries.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (order.compare(entries[middle] as Keyed<unknown>, entry) < 0) from = middle + 1
    else to = middle
  }
  return { at: from, entry }
}
