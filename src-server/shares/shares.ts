import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { isLiving, type LinkChange, type LinkEdit } from '../state/link-commands.ts'
import type { State } from '../state/state.ts'
import type { StoredLink } from '../state/state-data.ts'

/** Links of one user. */
const mostOfOneUser = 10_000

type SharesParts = Readonly<{ state: State; clock: Clock; limits?: { ofOneUser: number } }>

/** The public links in the state. One that has expired counts as deleted. */
export class Shares {
  readonly #state: State
  readonly #clock: Clock
  readonly #mostOfOneUser: number
  readonly #replaced = new Set<Readonly<{ hash: string }>>()

  constructor({ state, clock, limits = { ofOneUser: mostOfOneUser } }: SharesParts) {
    this.#state = state
    this.#clock = clock
    this.#mostOfOneUser = limits.ofOneUser
  }

  /** All links, also those that have expired. */
  stored(): readonly StoredLink[] {
    return this.#state.data.links
  }

  /** All links that have not expired. */
  all(): StoredLink[] {
    return this.stored().filter((link) => isLiving(link, this.#now()))
  }

  /** @returns undefined for a link that does not exist, was deleted or has expired */
  find(hash: string): StoredLink | undefined {
    const link = linkByHash(this.stored(), hash)
    return link && isLiving(link, this.#now()) ? link : undefined
  }

  /**
   * Adds a link, durable when it resolves, and removes those that have expired.
   * @param link its `expire` is in seconds since the epoch
   * @returns the user's permanent link of the path, when there is one and another is to be made
   * @throws Failure('conflict') when one of the two has a password, a note or a limit, or the user has too many links
   */
  add(link: Omit<StoredLink, 'hash' | 'createdAt'>): Promise<StoredLink> {
    const now = this.#now()
    const made: StoredLink = { ...link, hash: randomBytes(16).toString('base64url'), createdAt: now }
    return this.#state.run('addLink', { link: made, most: this.#mostOfOneUser, now })
  }

  /** Removes a link. @throws Failure('notFound') when there is none, or the person may not manage it */
  remove(hash: string, by: { userId: number }): Promise<void> {
    return this.#state.run('removeLink', { hash, by, now: this.#now() })
  }

  /** Sets or removes password and note. @throws Failure('notFound') as remove() does */
  edit(hash: string, edit: LinkEdit, by: { userId: number }): Promise<StoredLink> {
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

  /** While a file is being replaced, its links lead to the old and to the new one. @returns ends it */
  allowReplacing(links: readonly StoredLink[]): () => void {
    const marks = links.map(({ hash }) => ({ hash }))
    for (const mark of marks) this.#replaced.add(mark)
    return () => {
      for (const mark of marks) this.#replaced.delete(mark)
    }
  }

  /** Whether something that is there is what was shared, and not something else of its name. @param identity as Disk.identify says it */
  isSame({ hash }: StoredLink, identity: string): boolean {
    // Asked of the state again: a save may have ended since the link was looked up.
    const present = this.find(hash)
    if (!present) return false
    return present.identity === '' || present.identity === identity || [...this.#replaced].some((mark) => mark.hash === hash)
  }

  #now() {
    return Math.floor(this.#clock.now() / 1000)
  }
}

/** Lists of links are frozen and replaced when one changes, so that the table of one stays valid. */
const tables = new WeakMap<readonly StoredLink[], ReadonlyMap<string, StoredLink>>()

/** The link with a hash, also one that has expired. Takes as long however many there are. */
function linkByHash(links: readonly StoredLink[], hash: string): StoredLink | undefined {
  let table = tables.get(links)
  if (!table) {
    table = new Map(links.map((link) => [link.hash, link]))
    tables.set(links, table)
  }
  return table.get(hash)
}
