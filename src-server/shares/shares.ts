import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { State } from '../state/state.ts'
import type { StoredLink } from '../state/state-data.ts'

/** Links of one user. */
const mostOfOneUser = 10_000

type SharesParts = Readonly<{ state: State; clock: Clock; limits?: { ofOneUser: number } }>

/** What a link leads to from now on. */
export type LinkChange = Partial<Pick<StoredLink, 'path' | 'identity'>>

/** Texts of a link that its owner may change; '' removes one. */
export type LinkEdit = Partial<Record<'password' | 'note', string>>

const none: readonly StoredLink[] = []

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
    return this.#state.data.links ?? none
  }

  /** All links that have not expired. */
  all(): StoredLink[] {
    return this.stored().filter((link) => this.#isLiving(link))
  }

  /** @returns undefined for a link that does not exist, was deleted or has expired */
  find(hash: string): StoredLink | undefined {
    const link = linkByHash(this.stored(), hash)
    return link && this.#isLiving(link) ? link : undefined
  }

  /**
   * Adds a link, durable when it resolves, and removes those that have expired.
   * @param link its `expire` is in seconds since the epoch
   * @returns the user's permanent link of the path, when there is one and another is to be made
   * @throws Failure('conflict') when one of the two has a password, a note or a limit, or the user has too many links
   */
  add(link: Omit<StoredLink, 'hash' | 'createdAt'>): Promise<StoredLink> {
    const made: StoredLink = { ...link, hash: randomBytes(16).toString('base64url'), createdAt: this.#now() }
    return this.#state.change('other', (draft) => {
      const living = (draft.links ?? none).filter((other) => this.#isLiving(other))
      const own = living.filter(({ userId }) => userId === link.userId)
      const permanent = own.find(({ path, expire }) => path === link.path && expire === 0)
      if (link.expire === 0 && permanent) {
        // One with a password must not be given as one without, nor the other way round.
        if (!isPlain(link) || !isPlain(permanent))
          throw new Failure('conflict', 'there is a permanent link already; delete it to make another')
        return permanent
      }
      if (own.length >= this.#mostOfOneUser) throw new Failure('conflict', `you have ${this.#mostOfOneUser} links already`)
      draft.links = [...living, made]
      return made
    })
  }

  /** Removes a link. @throws Failure('notFound') when there is none, or the caller may not remove it */
  remove(hash: string, mayRemove: (link: StoredLink) => boolean): Promise<void> {
    return this.#state.change('other', (draft) => {
      const links = draft.links ?? none
      const link = links.find((other) => other.hash === hash)
      if (!link || !this.#isLiving(link) || !mayRemove(link)) throw new Failure('notFound')
      draft.links = links.filter((other) => other !== link)
    })
  }

  /** Sets or removes password and note. @throws Failure('notFound') as remove() does */
  edit(hash: string, changes: LinkEdit, mayEdit: (link: StoredLink) => boolean): Promise<StoredLink> {
    return this.#state.change('other', (draft) => {
      const links = draft.links ?? none
      const link = links.find((other) => other.hash === hash)
      if (!link || !this.#isLiving(link) || !mayEdit(link)) throw new Failure('notFound')
      const edited = withoutEmpty({ ...link, ...changes })
      draft.links = links.map((other) => (other === link ? edited : other))
      return edited
    })
  }

  /** Removes links, those of all users. */
  removeAll(hashes: ReadonlySet<string>): Promise<void> {
    return this.#state.change('other', (draft) => {
      draft.links = (draft.links ?? none).filter(({ hash }) => !hashes.has(hash))
    })
  }

  /** Changes what links lead to, by hash. One that was deleted meanwhile stays so. */
  async change(changes: ReadonlyMap<string, LinkChange>): Promise<void> {
    if (changes.size === 0) return
    await this.#state.change('session', (draft) => {
      draft.links = (draft.links ?? none).map((link) => {
        const change = changes.get(link.hash)
        return change ? { ...link, ...change } : link
      })
    })
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

  #isLiving({ expire }: StoredLink) {
    return expire === 0 || expire > this.#now()
  }

  #now() {
    return Math.floor(this.#clock.now() / 1000)
  }
}

/** Whether a link is such as old clients make, and any permanent one is as good. */
function isPlain({ password, note, mostDownloads }: Omit<StoredLink, 'hash' | 'createdAt'>): boolean {
  return password === undefined && note === undefined && mostDownloads === undefined
}

function withoutEmpty(link: StoredLink): StoredLink {
  const { password, note, ...rest } = link
  return { ...rest, ...(password && { password }), ...(note && { note }) }
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
