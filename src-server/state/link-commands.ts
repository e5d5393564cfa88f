import { Failure } from '../base/failure.ts'
import { actorOf, type By } from './actor.ts'
import type { StateDraft, StoredAnyLink, StoredLink, StoredUser } from './state-data.ts'

/** Links of one user. */
export const mostLinksOfUser = 10_000

/** What a link leads to from now on. */
export type LinkChange = Partial<Pick<StoredLink, 'path' | 'identity'>>

/** Texts of a link that its owner may change; '' removes one. */
export type LinkEdit = Partial<Record<'password' | 'note', string>>

type OneLink = { hash: string; by: By; now: number }

/** Times are in seconds since the epoch. */
export const linkCommands = {
  /**
   * Adds a link, and removes those that have expired.
   * @param input.most links that one user may have
   * @returns the user's permanent link of the path, when there is one and another is to be made
   * @throws Failure('conflict') when one of the two has a password, a note or a limit, or the user has too many links,
   *   Failure('unauthorized' | 'forbidden') when the person may no longer share
   */
  addLink(draft: StateDraft, { link, most, now, by }: { link: StoredLink; most: number; now: number; by?: By }): StoredLink {
    if (by) sharerOf(draft, by)
    const living = draft.links.filter((other) => isLiving(other, now))
    const own = living.filter(({ userId }) => userId === link.userId)
    const permanent = own.find(({ path, expire, suspended }) => path === link.path && expire === 0 && suspended === undefined)
    if (link.expire === 0 && permanent) {
      // One with a password must not be given as one without, nor the other way round.
      if (!isPlain(link) || !isPlain(permanent))
        throw new Failure('conflict', 'there is a permanent link already; delete it to make another')
      return permanent
    }
    if (own.length >= most) throw new Failure('conflict', 'you have {{number}} links already', { about: { number: most } })
    draft.links = [...living, link]
    return link
  },

  /** @throws Failure('notFound') when there is none, or the person may not remove it; as addLink does */
  removeLink(draft: StateDraft, input: OneLink): void {
    const link = linkIn(draft, input)
    draft.links = draft.links.filter((other) => other !== link)
  },

  /** Sets or removes password and note. @throws Failure('notFound') as removeLink does */
  editLink(draft: StateDraft, { edit, ...input }: OneLink & { edit: LinkEdit }): StoredLink {
    const link = linkIn(draft, input)
    const { password, note, ...rest } = { ...link, ...edit }
    const edited = { ...rest, ...(password && { password }), ...(note && { note }) }
    draft.links = draft.links.map((other) => (other === link ? edited : other))
    return edited
  },

  /** Removes links of both kinds, those of all users. */
  removeLinks(draft: StateDraft, { hashes }: { hashes: readonly string[] }): void {
    const removed = new Set(hashes)
    draft.links = draft.links.filter(({ hash }) => !removed.has(hash))
    draft.requests = draft.requests.filter(({ hash }) => !removed.has(hash))
  },

  /** Changes what links of both kinds lead to, by hash. One that was deleted meanwhile stays so. */
  changeLinks(draft: StateDraft, { changes }: { changes: readonly (readonly [hash: string, change: LinkChange])[] }): void {
    const byHash = new Map(changes)
    changeAll(draft, (link) => {
      const change = byHash.get(link.hash)
      return change ? { ...link, ...change } : link
    })
  },

  /**
   * What links of both kinds lead to goes into the trash, where it has an id. Those that were deleted meanwhile stay so.
   * @param input.instead ids of items that have not come about: links that are suspended by another one stay so
   */
  suspendLinks(
    draft: StateDraft,
    { hashes, item, instead }: { hashes: readonly string[]; item: string; instead: readonly string[] },
  ): void {
    const chosen = new Set(hashes)
    changeAll(draft, (link) => {
      if (!chosen.has(link.hash) || (link.suspended !== undefined && !instead.includes(link.suspended))) return link
      // Where nothing tells objects apart, also a program that does not know the mark must not open the next one of the name.
      return { ...link, suspended: item, ...(link.identity === '' && { identity: noIdentity }) }
    })
  },

  /**
   * What links of both kinds lead to is back from the trash, or was not put there.
   * @param input.changes where they lead, by hash; those that are not suspended by the item stay as they are
   */
  resumeLinks(
    draft: StateDraft,
    { item, changes }: { item: string; changes: readonly (readonly [hash: string, change: LinkChange])[] },
  ): void {
    const byHash = new Map(changes)
    changeAll(draft, (link) => {
      const change = byHash.get(link.hash)
      if (!change || link.suspended !== item) return link
      const { suspended: _, ...rest } = link
      return { ...(rest as typeof link), ...(link.identity === noIdentity && { identity: '' }), ...change }
    })
  },
}

function changeAll(draft: StateDraft, changed: <L extends StoredAnyLink>(link: L) => L): void {
  draft.links = draft.links.map(changed)
  draft.requests = draft.requests.map(changed)
}

/** Of a suspended link whose own is '': no object has it. */
const noIdentity = 'in the trash'

/** Whether a link has not expired. @param now seconds since the epoch */
export function isLiving({ expire }: StoredLink, now: number): boolean {
  return expire === 0 || expire > now
}

/** Whether a person may see and change a link. @param user undefined when the person was removed */
export function mayManage(
  user: Readonly<{ id: number; perm: Readonly<{ admin: boolean }> }> | undefined,
  link: Pick<StoredAnyLink, 'userId'>,
): boolean {
  return user !== undefined && (user.perm.admin || link.userId === user.id)
}

function linkIn(draft: StateDraft, { hash, by, now }: OneLink): StoredLink {
  const link = draft.links.find((other) => other.hash === hash)
  const actor = sharerOf(draft, by)
  if (!link || !isLiving(link, now) || !mayManage(actor, link)) throw new Failure('notFound')
  return link
}

/** Whoever gives a command about a link. @throws Failure('unauthorized' | 'forbidden') when session or right were withdrawn meanwhile */
function sharerOf(draft: StateDraft, by: By): StoredUser {
  const actor = actorOf(draft, by)
  if (!actor.perm.share || !actor.perm.download) throw new Failure('forbidden', 'the right to this was withdrawn')
  return actor
}

/** Whether a link is such as old clients make, and any permanent one is as good. */
function isPlain({ password, note, mostDownloads }: StoredLink): boolean {
  return password === undefined && note === undefined && mostDownloads === undefined
}
