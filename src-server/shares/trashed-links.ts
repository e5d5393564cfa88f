// Links to what is in the trash: they lead nowhere meanwhile, lead to it again when it is back, and end when it is removed for good.
import { join } from 'node:path'
import { childOf, isWithin, joined, type Path, parentOf, partsOf, pathBelow, rootPath } from '../base/paths.ts'
import { byDevice } from '../disk/mounts.ts'
import type { AfterChange, Event } from '../events/events.ts'
import type { LinkChange } from '../state/link-commands.ts'
import type { StoredAnyLink } from '../state/state-data.ts'
import type { ObjectIdentities } from './object-identities.ts'
import type { Shares } from './shares.ts'

/** `root`: the served folder, a path of the host. */
type TrashedLinksParts = Readonly<{ shares: Shares; objectIdentities: ObjectIdentities; root: string }>

/** What is in the trash: the ids of all items that are known, also of those whose disk is not connected. */
export type PresentItems = Readonly<{
  has(id: string): boolean
  /** Ends what a kill has left in the trashes of some paths of the served root, and finds what was not noted. */
  compareAt(paths: readonly Path[]): Promise<void>
}>

/** `item`: its id in the trash. */
type Going = Readonly<{ item: string; from: Path }>

/** Paths are those of the served root, without links on the way. */
type Back = Readonly<{ item: string; from: Path; to: Path }>

export class TrashedLinks {
  readonly #shares: Shares
  readonly #objectIdentities: ObjectIdentities
  readonly #root: string
  /** Items that are being put into the trash. */
  readonly #going = new Set<string>()

  constructor({ shares, objectIdentities, root }: TrashedLinksParts) {
    this.#shares = shares
    this.#objectIdentities = objectIdentities
    this.#root = root
  }

  /**
   * Suspends the links at or below a path before what is there goes into the trash, durably: nothing that gets the name afterwards is
   * shown by them, also where objects cannot be told apart. Where the state cannot be written, it is tried again when the entry is there.
   */
  async going({ item, from }: Going): Promise<AfterChange | undefined> {
    const linked = await this.#shares.below(from)
    // Somebody else is deleting the same, and only one of the two will.
    const others = (await this.#shares.inTrash()).filter((link) => isWithin(link.path as Path, from) && this.#isGoing(link))
    if (linked.length === 0 && others.length === 0) return undefined
    const present = await this.#objectIdentities.identify(from)
    // What was shared has gone unnoticed, and what is there now must not become it by a restore.
    const isStale = ({ path, identity }: StoredAnyLink) => path === from && identity !== '' && identity !== present
    const hashes = hashesOf(linked.filter((link) => !isStale(link)))
    this.#going.add(item)
    const isMarked = await this.#shares.suspend(hashes, item).then(
      () => true,
      () => false,
    )
    return async (done) => {
      this.#going.delete(item)
      if (!done) return this.#stays(from, [...hashes.map((hash) => ({ hash, item })), ...others.map(markOf)])
      if (!isInTrash(done)) return this.#shares.removeAll(hashesOf([...linked, ...others]))
      const instead = others.map((link) => markOf(link).item)
      if (!isMarked || others.length > 0) await this.#shares.suspend([...hashes, ...hashesOf(others)], item, instead)
      await this.#shares.removeAll(hashesOf(linked.filter(isStale)))
    }
  }

  /** Links of an item that is back lead to it at its new place; what is below it is what it was, and is not asked. */
  async back({ item, from, to }: Back): Promise<void> {
    const links = await this.#shares.inTrash(item)
    if (links.length === 0) return
    const target = await this.#objectIdentities.truePathOf(to)
    if (target === undefined) return
    // Some systems give an entry another number when it is moved.
    const identity = await this.#objectIdentities.identify(target)
    const top = { path: target, ...(identity !== undefined && { identity }) }
    const was = placeOf({ from, to }, target, links[0]?.path as Path)
    const changeOf = (path: Path): LinkChange => (path === was ? top : { path: joined(target, path.slice(was.length) as Path) })
    const isOfItem = ({ path }: StoredAnyLink) => isWithin(path as Path, was)
    const resumed = links.filter(isOfItem).map(({ hash, path }) => [hash, changeOf(path as Path)] as const)
    await this.#shares.resume(resumed, item)
    await this.#shares.removeAll(hashesOf(links.filter((link) => !isOfItem(link))))
  }

  /** Ends the links of an item that was removed for good. */
  async purged(item: string): Promise<void> {
    await this.#shares.removeAll(hashesOf(await this.#shares.inTrash(item)))
  }

  /**
   * Ends what a kill left between the state and the trash, on each disk by itself. To be called once. A link of an item that is not there
   * leads to its object again if that is still (or again) at its path: the kill came before it went into the trash, or after it came back.
   * Otherwise, and where objects cannot be told apart, it is removed.
   * @throws what the disk or the state says; links of which nothing was found out are then as before
   */
  async reconcile(items: PresentItems): Promise<void> {
    const byDisk = byDevice(await this.#shares.inTrash(), ({ path }) => join(this.#root, path))
    await Promise.all([...byDisk.values()].map((links) => this.#reconcileOn(links, items)))
  }

  /** @param links of one disk */
  async #reconcileOn(links: readonly StoredAnyLink[], items: PresentItems): Promise<void> {
    // What came into the trash may not be noted, and what a kill has left half done there is ended first.
    await items.compareAt(links.map(({ path }) => path as Path))
    const hashes = new Set(hashesOf(links))
    // The items are asked after the links were read, as more may come meanwhile.
    const isLost = (link: StoredAnyLink) => hashes.has(link.hash) && !items.has(markOf(link).item) && !this.#isGoing(link)
    const lost = (await this.#shares.inTrash()).filter(isLost)
    if (lost.length === 0) return
    const present = await this.#objectIdentities.identifyAll(lost.map(({ path }) => path as Path))
    const isBack = (link: StoredAnyLink, index: number) => link.identity !== '' && link.identity === present[index]
    await this.#resume(lost.filter(isBack).map(markOf))
    await this.#shares.removeAll(hashesOf(lost.filter((link, index) => !isBack(link, index))))
  }

  /** What was to go into the trash did not: its links lead to it again, those that somebody else's attempt had suspended too. */
  async #stays(from: Path, marked: readonly Marked[]): Promise<void> {
    // A disk that does not answer has not lost anything.
    const isThere = await this.#objectIdentities.identify(from).then(
      (identity) => identity !== undefined,
      () => true,
    )
    // Somebody else has put it into the trash, and gives them the id of that item.
    if (!isThere && this.#going.size > 0) return
    await this.#resume(marked.filter(({ item }) => !this.#going.has(item)))
  }

  async #resume(marked: readonly Marked[]): Promise<void> {
    for (const [item, links] of Map.groupBy(marked, ({ item }) => item))
      await this.#shares.resume(
        links.map(({ hash }) => [hash, {}]),
        item,
      )
  }

  #isGoing(link: StoredAnyLink): boolean {
    return this.#going.has(markOf(link).item)
  }
}

/** A link, and the item of the trash by which it is suspended. */
type Marked = Readonly<{ hash: string; item: string }>

const markOf = ({ hash, suspended = '' }: StoredAnyLink): Marked => ({ hash, item: suspended })

const hashesOf = (links: readonly StoredAnyLink[]): string[] => links.map(({ hash }) => hash)

/** Whether what was deleted is in the trash: that there is none for it may be found out on the way. */
const isInTrash = (done: Event): boolean => 'trash' in done && done.trash !== undefined

/**
 * Where an item was when its links were suspended. What undoes a deletion puts it back by the path by which it was deleted, which may have
 * links on the way, and what undoes a restore may give it the name that it had before that.
 * @param target the true path of where it is now @param linked the path of one of its links
 */
function placeOf({ from, to }: Omit<Back, 'item'>, target: Path, linked: Path): Path {
  if (isWithin(linked, from)) return from
  if (from === to && isWithin(linked, target)) return target
  const [name] = partsOf(pathBelow(parentOf(from), linked) ?? rootPath)
  return name === undefined ? from : childOf(parentOf(from), name)
}
