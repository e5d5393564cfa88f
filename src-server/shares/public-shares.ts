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
import type { Running } from '../state/running.ts'
import type { State } from '../state/state.ts'
import type { StateData, StoredLink } from '../state/state-data.ts'
import { linkByHash } from './by-hash.ts'
import type { Downloads } from './downloads.ts'
import { FollowedLink } from './followed-link.ts'
import type { Locks } from './locks.ts'
import { type DownloadCount, SharedFiles } from './shared-files.ts'
import type { Shares } from './shares.ts'
import { targetOf } from './target.ts'
import type { LinkClient } from './visits.ts'

/** The files and the disk of a principal, both owned by the operation. */
export type OpenedFiles = Readonly<{ files: UserFiles; disk: Disk }>

export type PublicSharesParts = Readonly<{
  shares: Shares
  state: Pick<State, 'data'>
  running: Running
  locks: Locks
  downloads: Downloads
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
   * @throws Failure('notFound') for every link that leads nowhere, Failure('unauthorized' | 'tooMany' | 'busy') as its password asks
   */
  async open({ hash, address, visitor, password, ticket, operation, cut }: LinkRequest): Promise<OpenedLink> {
    const { shares, downloads, locks, state } = this.#parts
    const link = shares.find(hash)
    const target = link && downloads.isOpenTo(link, visitor) ? targetOf(link, state.data) : undefined
    if (!link || !target) throw new Failure('notFound')
    // Before the disk is asked, so that a locked link says nothing of what it leads to.
    const newTicket = await locks.open(link, { password, ticket, address }).catch(async (error: unknown) => {
      if (password !== undefined && error instanceof Failure && error.code === 'unauthorized')
        await this.#announceWrongPassword(link, target.principal, address)
      throw error
    })
    this.#parts.running.enter(operation, (data) => leadsSomewhere(link, data), cut)
    const { files, disk } = this.#parts.filesOf(target.principal, operation, { address, way: 'share' })
    const present = await identityOf(disk, target, operation.signal)
    if (!this.#parts.shares.isSame(link, present)) throw new Failure('notFound')
    const isSame = (identity: string) => this.#parts.shares.isSame(link, identity)
    const count: DownloadCount = {
      reserve: (part) => downloads.reserve(link, visitor, part),
      announce: () => this.#announce('download', link, target.principal, address),
      see: async () => {
        if (downloads.isFirstSight(link, visitor)) await this.#announce('visit', link, target.principal, address)
      },
    }
    return { shared: new SharedFiles({ files, link, target, isSame, count }), newTicket }
  }

  /**
   * For the page of a link that open() has opened. Aborts the operation within a second of a change of what the page shows: the
   * link, what it leads to, or what its owner may see there.
   */
  follow({ hash, visitor, operation }: Pick<LinkRequest, 'hash' | 'visitor' | 'operation'>): FollowedLink {
    const { shares, downloads, running, state, clock } = this.#parts
    const link = shares.find(hash)
    const shown = shownOf(hash, state.data)
    if (!link || !shown) throw new Failure('notFound')
    running.enter(
      operation,
      (data) => isDeepStrictEqual(shownOf(hash, data), shown),
      () => {},
    )
    const isOpen = () => downloads.isOpenTo(link, visitor)
    const isCounted = link.mostDownloads !== undefined
    return new FollowedLink({ clock, expire: link.expire, isCounted, isOpen, signal: operation.signal })
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

/**
 * Whether the link is still there, and its owner may still share what it leads to. A saved file is still the same. A download of a
 * link that expires meanwhile is sent to its end.
 */
function leadsSomewhere({ hash }: StoredLink, data: StateData): boolean {
  const present = data.links && linkByHash(data.links, hash)
  return present !== undefined && targetOf(present, data) !== undefined
}

/** What the page of a link depends on: all but the note, which visitors do not see. */
function shownOf(hash: string, data: StateData) {
  const present = data.links && linkByHash(data.links, hash)
  const target = present && targetOf(present, data)
  if (!target) return undefined
  const { note: _, ...link } = present
  const { scope, base, rules } = target.principal
  // They stay the same object until a rule changes. A file has none that could hide a part of it.
  return { link, scope, base, name: target.name, rules: link.isDir && rules }
}

async function identityOf(disk: Disk, { principal, path }: NonNullable<ReturnType<typeof targetOf>>, signal: AbortSignal) {
  try {
    return await disk.identify(authorize(principal, 'see', path), signal)
  } catch (error) {
    const isLost = error instanceof Failure && ['notFound', 'forbidden', 'invalid'].includes(error.code)
    if (isLost) throw new Failure('notFound', '', { cause: error })
    throw error
  }
}
