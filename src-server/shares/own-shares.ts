import { authorize, checkPermissions } from '../access/authorize.ts'
import { type Principal, pathsOf } from '../access/principal.ts'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { isWithin, nameOf, type Path, parsePath, pathBelow } from '../base/paths.ts'
import type { Share, ShareBody, ShareChanges } from '../contract/shares.ts'
import type { Disk } from '../disk/disk.ts'
import type { Events, Source } from '../events/events.ts'
import type { By } from '../state/actor.ts'
import { mayManage } from '../state/link-commands.ts'
import type { StoredLink } from '../state/state-data.ts'
import { allOf, type LinkFilter, type LinkView, type Views } from '../state/views.ts'
import type { Passwords } from '../users/passwords.ts'
import type { Downloads } from './downloads.ts'
import { expireOf } from './expiry.ts'
import { checkLinkPassword } from './link-passwords.ts'
import { type Located, locate } from './locate.ts'
import type { Shares } from './shares.ts'

export type OwnSharesParts = Readonly<{
  shares: Shares
  downloads: Pick<Downloads, 'countOf'>
  passwords: Pick<Passwords, 'hash'>
  /** The fewest characters of a new password. */
  shortestPassword: number
  state: Pick<Views, 'users'>
  events: Events
  clock: Clock
  principal: Principal
  sessionId: string
  disk: Disk
  source: Source
  signal: AbortSignal
}>

/** The public links that a signed-in user makes and sees: the user's own, of administrators all. */
export class OwnShares {
  readonly #parts: OwnSharesParts

  constructor(parts: OwnSharesParts) {
    this.#parts = parts
  }

  /** The links of one path, which need not exist any more. @throws Failure('forbidden') */
  async list(path: Path): Promise<Share[]> {
    const { principal } = this.#parts
    this.#authorize(path)
    const located = await this.#locate(path).catch(ignoringNotFound)
    const { served } = pathsOf(principal, located?.path ?? path)
    return this.#seen({ path: served })
  }

  /** All links that the user may see. @throws Failure('forbidden') without the rights to share and download */
  async all(): Promise<Share[]> {
    this.#checkMayShare()
    return this.#seen({})
  }

  /**
   * Makes a link to what is at a path now.
   * @returns the user's permanent link of the path, when there is one and another is asked for
   * @throws Failure('forbidden' | 'notFound'), Failure('invalid') for an expiry that is not one
   */
  async create(path: Path, wanted: ShareBody): Promise<Share> {
    const { principal, events, clock, source, shares, passwords } = this.#parts
    this.#authorize(path)
    const { path: at, isDir, identity } = await this.#locate(path)
    const { userId, name } = principal
    const { served } = pathsOf(principal, at)
    const expire = expireOf(wanted, clock.now())
    const { password, note, mostDownloads } = wanted
    checkLinkPassword(password, this.#parts.shortestPassword)
    const link = {
      userId,
      path: served,
      isDir,
      identity,
      expire,
      ...(password && { password: await passwords.hash(password, `user ${userId}`) }),
      ...(note && { note }),
      ...(mostDownloads && { mostDownloads }),
    }
    const event = { kind: 'share', shared: served, by: { id: userId, name }, ...source } as const
    return this.#shown(await events.around(event, () => shares.add(link, this.#by)), name)
  }

  /** Sets password and note. @throws Failure('forbidden' | 'notFound') as remove() does */
  async edit(hash: string, { password, note }: ShareChanges): Promise<Share> {
    const { principal, events, source, shares, passwords } = this.#parts
    this.#checkMayShare()
    const { link, owner } = await this.#find(hash)
    checkLinkPassword(password, this.#parts.shortestPassword)
    const changes = {
      ...(password !== undefined && { password: password && (await passwords.hash(password, `user ${principal.userId}`)) }),
      ...(note !== undefined && { note }),
    }
    const { userId, name } = principal
    const event = { kind: 'shareChange', shared: parsePath(link.path), by: { id: userId, name }, ...source } as const
    return this.#shown(await events.around(event, () => shares.edit(hash, changes, this.#by)), owner.username)
  }

  /** Deletes a link. @throws Failure('forbidden') without the rights to share, Failure('notFound') for an unknown one and one of somebody else */
  async remove(hash: string): Promise<void> {
    const { principal, events, source, shares } = this.#parts
    this.#checkMayShare()
    const { userId, name } = principal
    const { link } = await this.#find(hash)
    const event = { kind: 'unshare', shared: parsePath(link.path), by: { id: userId, name }, ...source } as const
    await events.around(event, () => shares.remove(hash, this.#by))
  }

  /** Asked again when a link is stored: a session may end while a password is hashed. */
  get #by(): By {
    return { userId: this.#parts.principal.userId, sessionId: this.#parts.sessionId }
  }

  #checkMayShare() {
    checkPermissions(this.#parts.principal.permissions, ['share', 'download'])
  }

  /** @throws Failure('forbidden') */
  #authorize(path: Path) {
    this.#checkMayShare()
    authorize(this.#parts.principal, 'share', path)
    authorize(this.#parts.principal, 'download', path)
  }

  #locate(path: Path): Promise<Located> {
    return locate(this.#parts, path, (at) => this.#authorize(at))
  }

  async #seen(filter: LinkFilter): Promise<Share[]> {
    const { principal, shares, state } = this.#parts
    const { userId, name, permissions } = principal
    const links = await shares.list(permissions.admin ? filter : { ...filter, userId })
    const hasOthers = links.some((link) => link.userId !== userId)
    const users = hasOthers ? await allOf((after: number | undefined) => state.users({ after })) : []
    const names = new Map([[userId, name], ...users.map(({ id, username }) => [id, username] as const)])
    return links.sort(byOwnerThenExpiry).map((link) => this.#shown(link, names.get(link.userId) ?? ''))
  }

  async #find(hash: string): Promise<LinkView> {
    const { shares, principal } = this.#parts
    const view = await shares.view(hash)
    if (!view || !mayManage({ id: principal.userId, perm: principal.permissions }, view.link)) throw new Failure('notFound')
    return view
  }

  #shown(link: StoredLink, username: string): Share {
    const { hash, path, userId, expire, isDir, createdAt, password, note = '', mostDownloads, suspended } = link
    const { principal, downloads } = this.#parts
    const served = parsePath(path)
    const isInside = isWithin(served, principal.scope)
    return {
      hash,
      path: (isInside && pathBelow(principal.scope, served)) || '',
      userID: userId,
      expire,
      name: served === principal.scope ? '' : nameOf(served),
      isDir,
      username,
      created: createdAt,
      hasPassword: password !== undefined,
      note,
      downloads: downloads.countOf(link),
      ...(mostDownloads && { mostDownloads }),
      ...(suspended !== undefined && { inTrash: true }),
    }
  }
}

/** Permanent links first. */
function byOwnerThenExpiry(one: StoredLink, other: StoredLink): number {
  return one.userId - other.userId || one.expire - other.expire || (one.hash < other.hash ? -1 : 1)
}

function ignoringNotFound(error: unknown): undefined {
  if (!(error instanceof Failure) || error.code !== 'notFound') throw error
}
