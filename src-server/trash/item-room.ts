// How much of a full disk would be free without an item of the trash: a file with holes takes less than its size, and one with another name
// elsewhere gives nothing back.
import type { TrashedItem, TrashedPart } from '../disk/disk.ts'
import type { Trash } from './trash.ts'

/** Files and folders that are looked at, which takes less than a second on a local disk. */
const mostParts = 5000

class TooMany extends Error {}

/** What was found out of the items of one trash, which holds for a moment. */
export class ItemRoom {
  readonly #trash: Pick<Trash, 'walk'>
  #left: number
  readonly #known = new Map<string, number>()
  /** Of files with more than one: how many names were not found in the items yet. */
  readonly #names = new Map<string, number>()

  constructor(trash: Pick<Trash, 'walk'>, most: number = mostParts) {
    this.#trash = trash
    this.#left = most
  }

  /**
   * Bytes that its removal makes free, after that of the items that were asked about before. What is not counted yet, or too much to be
   * looked at, counts with its recorded size, at the least with what was found of it: what is unknown must not be taken for room.
   */
  async of(item: TrashedItem): Promise<number> {
    const known = this.#known.get(item.id)
    if (known !== undefined) return known
    const room = await this.#look(item)
    this.#known.set(item.id, room)
    return room
  }

  async #look(item: TrashedItem): Promise<number> {
    let room = 0
    if (this.#left <= 0) return item.size ?? 0
    try {
      await this.#trash.walk(item, (part) => {
        if (this.#left-- <= 0) throw new TooMany()
        room += this.#roomOf(part)
      })
      return room
    } catch (error) {
      // What cannot be read cannot be removed either.
      return error instanceof TooMany ? Math.max(room, item.size ?? 0) : 0
    }
  }

  #roomOf({ room, names, id }: TrashedPart): number {
    if (names <= 1) return room
    const left = (this.#names.get(id) ?? names) - 1
    this.#names.set(id, left)
    return left === 0 ? room : 0
  }
}

/** Bytes that somebody may have, found out as far as they are wanted. */
export class Prospect {
  #bytes: number
  readonly #items: Iterator<TrashedItem>
  readonly #room: ItemRoom

  /** @param free that there are already @param items that may go, in their order */
  constructor(free: number, items: Iterable<TrashedItem>, room: ItemRoom) {
    this.#bytes = free
    this.#items = items[Symbol.iterator]()
    this.#room = room
  }

  async has(wanted: number): Promise<boolean> {
    while (this.#bytes < wanted) {
      const next = this.#items.next()
      if (next.done) return false
      this.#bytes += await this.#room.of(next.value)
    }
    return true
  }
}

/** Those of some items of which something is gained. */
export async function* useful(items: Iterable<TrashedItem>, room: ItemRoom): AsyncGenerator<TrashedItem> {
  for (const item of items) if ((await room.of(item)) > 0) yield item
}
