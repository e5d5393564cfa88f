import { isDeepStrictEqual } from 'node:util'
import { authorize } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { parsePath } from '../base/paths.ts'
import type { Disk } from '../disk/disk.ts'
import type { Events, Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { State } from '../state/state.ts'
import type { StoredLink } from '../state/state-data.ts'
import type { LinkView } from '../state/views.ts'
import type { AccessRevocation } from '../users/access-revocation.ts'
import type { Downloads } from './downloads.ts'
import { FollowedLink } from './followed-link.ts'
import type { LinkPasswords } from './link-passwords.ts'
import { type DownloadCount, SharedFiles } from './shared-files.ts'
import type { Shares } from './shares.ts'
import type { ShortMisses } from './short-misses.ts'
import { targetOf } from './target.ts'
import type { LinkClient } from './visits.ts'

/** The files and the disk of a principal, both owned by the operation. */
export type OpenedFiles = Readonly<{ files: UserFiles; disk: Disk }>

export type PublicSharesParts = Readonly<{
  shares: Shares
  state: Pick<State, 'feed'>
  revocation: AccessRevocation
  linkPasswords: LinkPasswords
  downloads: Downloads
  misses: ShortMisses
  events: Events
  clock: Clock
  filesOf(principal: Principal, operation: Operation, source: Source): OpenedFiles
}>

/** A request of somebody who holds a link. */
export type LinkRequest = Readonly<{
  hash: string
  /** The IP address of the client. */
  address: string
  /** Whose downloads are counted. */
  visitor: LinkClient
  password?: string | undefined
  ticket?: string | undefined
  operation: Operation
  /** Closes the connection of a link that is withdrawn meanwhile. */
  cut(): void
}>

/** `newTicket`: stands for the password that was given, for an hour. */
export type OpenedLink = Readonly<{ shared: SharedFiles; newTicket: string | undefined }>

/** Opens public links for whoever has their hash. */
export class PublicShares {
  readonly #parts: PublicSharesParts

  constructor(parts: PublicSharesParts) {
    this.#parts = parts
  }

  /**
   * Everything is asked afresh: the link, the rights and the scope of its owner, and whether what was shared is still there. A link
   * that has expired, was deleted or never was is found out by the same look into a table.
   * @throws Failure('notFound') for every link that leads nowhere, Failure('tooMany') for many short ones, Failure('unauthorized' | 'tooMany' | 'busy') as its password asks
   */
  async open({ hash, address, visitor, password, ticket, operation, cut }: LinkRequest): Promise<OpenedLink> {
    const { shares, downloads, linkPasswords, revocation, misses } = this.#parts
    const read = async () => {
      const view = await shares.view(hash)
      if (!view) throw misses.refusal(hash, address)
      const target = downloads.isOpenTo(view.link, visitor) ? targetOf(view) : undefined
      if (!target) throw new Failure('notFound')
      return { ...view, target }
    }
    // From here on, because the check of a password takes long. A file that is saved is still what was shared.
    const isAllowed = (present: LinkView, before: LinkView) =>
      targetOf(present) !== undefined && opensAlso(present.link, before.link)
    const { view, grant } = await revocation.holdLink(read, operation, { isAllowed, cut })
    const { link, target } = view
    // Before the disk is asked, so that a locked link says nothing of what it leads to.
    const newTicket = await linkPasswords.open(link, { password, ticket, address }).catch(async (error: unknown) => {
      if (password !== undefined && error instanceof Failure && error.code === 'unauthorized')
        await this.#announceWrongPassword(link, target.principal, address)
      throw error
    })
    grant.check()
    const { files, disk } = this.#parts.filesOf(target.principal, operation, { address, way: 'share' })
    const present = await identityOf(disk, target, operation.signal)
    if (!(await shares.isSame(link, present))) throw new Failure('notFound')
    const isSame = (identity: string) => shares.isSame(link, identity)
    const count: DownloadCount = {
      reserve: async (part) => {
        grant.check()
        return downloads.reserve(link, visitor, part)
      },
      announce: () => this.#announce('download', link, target.principal, address),
      see: async () => {
        if (downloads.isFirstSight(link, visitor)) await this.#announce('visit', link, target.principal, address)
      },
    }
    return { shared: new SharedFiles({ files, link, target, isSame, count }), newTicket }
  }

  /**
   * For the page of a link that open() has opened. Aborts the operation when what the page shows changes: the link, what it leads
   * to, or what its owner may see there.
   */
  async follow({ hash, visitor, operation }: Pick<LinkRequest, 'hash' | 'visitor' | 'operation'>): Promise<FollowedLink> {
    const { shares, downloads, revocation, state, clock } = this.#parts
    const read = async () => {
      const view = await shares.view(hash)
      const shown = view && shownOf(view)
      if (!view || !shown) throw new Failure('notFound')
      return view
    }
    const isAllowed = (present: LinkView, before: LinkView) => isDeepStrictEqual(shownOf(present), shownOf(before))
    const { view } = await revocation.holdLink(read, operation, { isAllowed, cut: () => {} })
    const exhausted = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const look = () => downloads.isOpenTo(view.link, visitor) || resolve()
        const stop = state.feed.listen([`downloads:${hash}`], look)
        signal.addEventListener('abort', stop, { once: true })
        look()
      })
    return new FollowedLink({ clock, expire: view.link.expire, exhausted, signal: operation.signal })
  }

  #announceWrongPassword(link: StoredLink, owner: Principal, address: string): Promise<void> {
    const refuse = async () => {
      throw new Failure('unauthorized', 'wrong password')
    }
    return this.#announce('visit', link, owner, address, refuse).catch(() => {})
  }

  #announce(
    kind: 'download' | 'visit',
    { path }: StoredLink,
    { userId, name }: Principal,
    address: string,
    work = async (): Promise<void> => {},
  ): Promise<void> {
    const by = { id: userId, name }
    return this.#parts.events.around({ kind, shared: parsePath(path), by, address, way: 'share' }, work)
  }
}

/** Whether who has opened a link with one password may go on with another: only when there is none any more. */
const opensAlso = (present: StoredLink, { password }: StoredLink) =>
  present.password === undefined || present.password === password

/** What the page of a link depends on: all but the note, which visitors do not see. */
function shownOf(view: LinkView) {
  const target = targetOf(view)
  if (!target) return undefined
  const { note: _, ...link } = view.link
  const { scope, base, rules } = target.principal
  // They stay the same object until a rule changes. A file has none that could hide a part of it.
  return { link, scope, base, name: target.name, rules: link.isDir && rules }
}

async function identityOf(disk: Disk, { principal, path }: NonNullable<ReturnType<typeof targetOf>>, signal: AbortSignal) {
  try {
    return await disk.identify(authorize(principal, 'read', path), signal)
  } catch (error) {
    const isLost = error instanceof Failure && ['notFound', 'forbidden', 'invalid'].includes(error.code)
    if (isLost) throw new Failure('notFound', '', { cause: error })
    throw error
  }
}
