import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Path } from '../base/paths.ts'
import type { By } from '../state/actor.ts'
import { isLiving, type LinkChange, type LinkEdit, mostLinksOfUser } from '../state/link-commands.ts'
import type { State } from '../state/state.ts'
import type { StoredAnyLink, StoredLink } from '../state/state-data.ts'
import { allOf, type LinkFilter, type LinkView } from '../state/views.ts'

type SharesParts = Readonly<{ state: State; clock: Clock; limits?: { ofOneUser: number } }>

/**
 * The public links in the state. One that has expired counts as deleted. What is moved, replaced and deleted concerns links of both kinds:
 * those that take files in too.
 */
export class Shares {
  readonly #state: State
  readonly #clock: Clock
  readonly #mostOfOneUser: number
  readonly #replaced = new Set<Readonly<{ hash: string }>>()

  constructor({ state, clock, limits = { ofOneUser: mostLinksOfUser } }: SharesParts) {
    this.#state = state
    this.#clock = clock
    this.#mostOfOneUser = limits.ofOneUser
  }

  /** Those that have not expired. */
  async list(filter: LinkFilter): Promise<StoredLink[]> {
    const links = await this.#stored(filter)
    const now = this.#now()
    return links.filter((link) => isLiving(link, now))
  }

  /** Those of both kinds that lead to something at or below a path, also expired ones. What they lead to in the trash is not there. */
  async below(path: Path): Promise<StoredAnyLink[]> {
    return (await this.#allStored({ atOrBelow: path })).filter(({ suspended }) => suspended === undefined)
  }

  /** Those of both kinds that lead to something in an item of the trash, also expired ones. @param item its id; without it, in any */
  async inTrash(item?: string): Promise<StoredAnyLink[]> {
    return (await this.#allStored({ suspended: item })).filter(({ suspended }) => suspended !== undefined)
  }

  /** Whether there is one of either kind. */
  async any(): Promise<boolean> {
    return (await this.#state.linkCount()) > 0
  }

  /** @returns undefined for a link that does not exist, was deleted or has expired */
  async view(hash: string): Promise<LinkView | undefined> {
    const view = await this.#state.link(hash)
    return view && isLiving(view.link, this.#now()) ? view : undefined
  }

  /**
   * Adds a link, durable when it resolves, and removes those that have expired.
   * @param link its `expire` is in seconds since the epoch
   * @returns the user's permanent link of the path, when there is one and another is to be made
   * @throws Failure('conflict') when one of the two has a password, a note or a limit, or the user has too many links
   */
  add(link: Omit<StoredLink, 'hash' | 'createdAt'>, by: By): Promise<StoredLink> {
    const now = this.#now()
    const made: StoredLink = { ...link, hash: randomBytes(16).toString('base64url'), createdAt: now }
    return this.#state.run('addLink', { link: made, most: this.#mostOfOneUser, now, by })
  }

  /** Removes a link. @throws Failure('notFound') when there is none, or the person may not manage it */
  remove(hash: string, by: By): Promise<void> {
    return this.#state.run('removeLink', { hash, by, now: this.#now() })
  }

  /** Sets or removes password and note. @throws Failure('notFound') as remove() does */
  edit(hash: string, edit: LinkEdit, by: By): Promise<StoredLink> {
    return this.#state.run('editLink', { hash, edit, by, now: this.#now() })
  }

  /** Removes links, those of all users. */
  removeAll(hashes: readonly string[]): Promise<void> {
    return this.#state.run('removeLinks', { hashes })
  }

  /** Changes what links lead to, by hash. One that was deleted meanwhile stays so. */
  async change(changes: readonly (readonly [hash: string, change: LinkChange])[]): Promise<void> {
    if (changes.length > 0) await this.#state.run('changeLinks', { changes })
  }

  /** Lets links lead nowhere while what they lead to is in the trash; durable when it resolves. @param item its id @param instead of these */
  async suspend(hashes: readonly string[], item: string, instead: readonly string[] = []): Promise<void> {
    if (hashes.length > 0) await this.#state.run('suspendLinks', { hashes, item, instead })
  }

  /** The inverse of suspend(), with where the links lead from now on. Those that have another item's id stay as they are. */
  async resume(changes: readonly (readonly [hash: string, change: LinkChange])[], item: string): Promise<void> {
    if (changes.length > 0) await this.#state.run('resumeLinks', { changes, item })
  }

  /** While a file is being replaced, its links lead to the old and to the new one. @returns ends it */
  allowReplacing(links: readonly StoredAnyLink[]): () => void {
    const marks = links.map(({ hash }) => ({ hash }))
    for (const mark of marks) this.#replaced.add(mark)
    return () => {
      for (const mark of marks) this.#replaced.delete(mark)
    }
  }

  /** Whether something that is there is what was shared, and not something else of its name. @param identity as Disk.identify says it */
  async isSame({ hash }: StoredLink, identity: string): Promise<boolean> {
    // Asked before the state is: a save that ends meanwhile has changed the link by then, or is among these.
    const isReplaced = [...this.#replaced].some((mark) => mark.hash === hash)
    // Asked of the state again: a save may have ended since the link was looked up.
    const present = (await this.view(hash))?.link
    return (
      present !== undefined &&
      present.suspended === undefined &&
      (isReplaced || present.identity === '' || present.identity === identity)
    )
  }

  #stored(filter: LinkFilter): Promise<StoredLink[]> {
    return allOf((after: string | undefined) => this.#state.links({ ...filter, after }))
  }

  async #allStored(filter: LinkFilter): Promise<StoredAnyLink[]> {
    const requests = await allOf((after: string | undefined) => this.#state.requests({ ...filter, after }))
    return [...(await this.#stored(filter)), ...requests]
  }

  #now() {
    return Math.floor(this.#clock.now() / 1000)
  }
}
