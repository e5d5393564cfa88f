import { randomBytes } from 'node:crypto'
import { authorize, checkPermissions } from '../access/authorize.ts'
import { type Principal, pathsOf } from '../access/principal.ts'
import type { Clock } from '../base/clock.ts'
import { Failure, refusedField } from '../base/failure.ts'
import { childOf, isWithin, joined, nameOf, type Path, parsePath, pathBelow, rootPath } from '../base/paths.ts'
import type { ArrivalList, RequestBody, RequestChanges, RequestLink, SenderList } from '../contract/requests.ts'
import type { Disk } from '../disk/disk.ts'
import type { Events, Source } from '../events/events.ts'
import { expireOf } from '../shares/expiry.ts'
import { checkLinkPassword } from '../shares/link-passwords.ts'
import { locate } from '../shares/locate.ts'
import type { By } from '../state/actor.ts'
import { mayManage } from '../state/link-commands.ts'
import type { RequestEdit } from '../state/request-commands.ts'
import type { State } from '../state/state.ts'
import type { StoredRequest } from '../state/state-data.ts'
import { allOf, type RequestView } from '../state/views.ts'
import type { Passwords } from '../users/passwords.ts'
import type { Sender } from './book.ts'
import type { Books } from './books.ts'
import { seconds } from './receipts.ts'
import { requestTargetOf } from './target.ts'

export type OwnRequestsParts = Readonly<{
  state: Pick<State, 'run' | 'request' | 'requests' | 'account'>
  books: Books
  passwords: Pick<Passwords, 'hash'>
  /** The fewest characters of a new password. */
  shortestPassword: number
  /** Whether a command of an event gets the names of new files as arguments. */
  takesNames(): Promise<boolean>
  events: Events
  clock: Clock
  principal: Principal
  sessionId: string
  disk: Disk
  source: Source
  signal: AbortSignal
}>

/** Of one user. */
const mostRequests = 1000

const [usualBytes, usualFileBytes] = [20e9, 200e6]
const [usualFiles, usualFilesAnHour] = [10_000, 2000]

/** The links that take files in which a signed-in user makes and sees: the user's own, of administrators all. */
export class OwnRequests {
  readonly #parts: OwnRequestsParts

  constructor(parts: OwnRequestsParts) {
    this.#parts = parts
  }

  /** All that the user may see, the newest first. @throws Failure('forbidden') without the rights to share and create */
  async all(): Promise<RequestLink[]> {
    const { principal, state } = this.#parts
    this.#checkMayRequest()
    const { userId, permissions } = principal
    const filter = permissions.admin ? {} : { userId }
    const stored = await allOf((after: string | undefined) => state.requests({ ...filter, after }))
    const views = await Promise.all(stored.map(({ hash }) => state.request(hash)))
    const shown = views.filter((view) => view !== undefined).map((view) => this.#shown(view))
    return shown.sort((one, other) => other.created - one.created || (one.hash < other.hash ? -1 : 1))
  }

  /**
   * Makes a link that takes files into the folder that is at a path now.
   * @throws Failure('forbidden' | 'notFound'), Failure('invalid') for a file and for a field that is wrong, Failure('conflict') when the
   *   user has too many
   */
  async create(path: Path, wanted: RequestBody): Promise<RequestLink> {
    const { principal, clock, state } = this.#parts
    this.#authorize(path)
    const { path: at, isDir, identity } = await locate(this.#parts, path, (truePath) => this.#authorize(truePath))
    if (!isDir) throw new Failure('invalid', 'only a folder takes files in')
    if (await this.#parts.takesNames())
      throw new Failure('conflict', 'a command of the server gets the name of each new file as an argument')
    const { userId } = principal
    const { title = '', text, endings = [], asksName = false, hasFolders = true, tells = false } = wanted
    const { mostBytes = usualBytes, mostFiles = usualFiles, filesAnHour = usualFilesAnHour } = wanted
    const { mostFileBytes = Math.min(usualFileBytes, mostBytes) } = wanted
    const expire = expireOf(wanted, clock.now())
    checkTitle(title)
    checkSizes({ mostBytes, mostFileBytes })
    const password = await this.#hashed(wanted.password)
    const request: StoredRequest = {
      ...{ hash: randomBytes(16).toString('base64url'), userId, path: pathsOf(principal, at).served, isDir: true, identity },
      ...{ expire, createdAt: this.#now(), title: title.trim(), mostBytes, mostFileBytes, mostFiles, filesAnHour },
      ...(password && { password }),
      ...(text && { text }),
      ...(endings.length > 0 && { endings }),
      ...{ asksName, hasFolders, tells, seen: 0 },
    }
    await this.#announced('share', request, () => state.run('addRequest', { request, most: mostRequests, by: this.#by }))
    return this.#shownNow(request.hash)
  }

  /** @throws Failure('forbidden'), Failure('notFound') for an unknown one and one of somebody else, Failure('invalid') */
  async edit(hash: string, changes: RequestChanges): Promise<RequestLink> {
    const { state } = this.#parts
    const { request } = await this.#find(hash)
    if (changes.title !== undefined) checkTitle(changes.title)
    checkSizes({ ...request, ...changes })
    const edit = await this.#editOf(request, changes)
    await this.#announced('shareChange', request, () => state.run('editRequest', { hash, edit, by: this.#by }))
    return this.#shownNow(hash)
  }

  /** Deletes one; what has arrived stays. @throws as `edit` */
  async remove(hash: string): Promise<void> {
    const { request } = await this.#find(hash)
    await this.#announced('unshare', request, () => this.#parts.state.run('removeRequest', { hash, by: this.#by }))
  }

  /** Who has sent something, who came last first. @throws as `edit` */
  async senders(hash: string, after = ''): Promise<SenderList> {
    const { request } = await this.#find(hash)
    const { principal, books } = this.#parts
    const all = [...(books.find(hash)?.senders.values() ?? [])].filter(({ arrivals }) => arrivals.length > 0)
    const { page, next } = pageOf(
      all.sort((one, other) => momentOf(other) - momentOf(one)),
      after,
      mostSenders,
    )
    const pathOf = (folder: Sender['folder']) =>
      folder && pathBelow(principal.scope, joined(parsePath(request.path), childOf(rootPath, folder.name)))
    const senders = page.map((sender) => {
      const { id, name, arrivals, bytes, folder } = sender
      const path = pathOf(folder)
      const about = { ...(name !== undefined && { name }), ...(path !== undefined && { path }) }
      return { id, files: arrivals.length, bytes, lastAt: seconds(momentOf(sender)), ...about }
    })
    return { senders, ...next }
  }

  /** What has arrived, of all or of one sender, the newest first. @throws as `edit` */
  async arrivals(hash: string, { after = '', sender }: Readonly<{ after?: string; sender?: string }>): Promise<ArrivalList> {
    await this.#find(hash)
    const { books } = this.#parts
    const book = books.find(hash)
    const all = sender === undefined ? [...(book?.arrivals.keys() ?? [])] : [...(book?.senders.get(sender)?.arrivals ?? [])]
    const { page, next } = pageOf(all.reverse(), after, mostArrivals)
    const arrivals = (await books.arrivals(hash, page)).map(({ name, size, at, sha256, receipt }) => {
      return { name, size, at: seconds(at), ...(sha256 !== undefined && { sha256 }), ...(receipt !== undefined && { receipt }) }
    })
    return { arrivals, ...next }
  }

  /** The owner has seen so many of the files. @throws as `edit` */
  async see(hash: string, files: number): Promise<void> {
    await this.#find(hash)
    const known = this.#parts.books.find(hash)?.files ?? 0
    await this.#parts.state.run('seeRequest', { hash, files: Math.min(files, known), by: this.#by })
  }

  async #editOf(request: StoredRequest, changes: RequestChanges): Promise<RequestEdit> {
    const { title, text, password, expires, unit, closed, endings, ...others } = changes
    const isExpiry = expires !== undefined || unit !== undefined
    const set = {
      ...others,
      ...(title !== undefined && { title: title.trim() }),
      ...(text && { text }),
      ...(password && { password: await this.#hashed(password) }),
      ...(isExpiry && { expire: expireOf({ expires, unit }, this.#parts.clock.now()) }),
      ...(endings && endings.length > 0 && { endings }),
      ...(closed && { closedAt: request.closedAt ?? this.#now() }),
    }
    const isRemoved = { text: text === '', password: password === '', endings: endings?.length === 0, closedAt: closed === false }
    const removable = Object.keys(isRemoved) as (keyof typeof isRemoved)[]
    return { set, remove: removable.filter((field) => isRemoved[field]) } as RequestEdit
  }

  async #hashed(password = ''): Promise<string | undefined> {
    const { passwords, shortestPassword, principal } = this.#parts
    checkLinkPassword(password, shortestPassword)
    return password === '' ? undefined : passwords.hash(password, `user ${principal.userId}`)
  }

  #announced<T>(kind: 'share' | 'shareChange' | 'unshare', { path }: StoredRequest, work: () => Promise<T>): Promise<T> {
    const { principal, events, source } = this.#parts
    const { userId: id, name } = principal
    return events.around({ kind, shared: parsePath(path), by: { id, name }, ...source }, work)
  }

  /** Asked again when something is stored: a session may end while a password is hashed. */
  get #by(): By {
    return { userId: this.#parts.principal.userId, sessionId: this.#parts.sessionId }
  }

  #checkMayRequest() {
    checkPermissions(this.#parts.principal.permissions, ['share', 'create'])
  }

  /** @throws Failure('forbidden') */
  #authorize(path: Path) {
    this.#checkMayRequest()
    authorize(this.#parts.principal, 'share', path)
    authorize(this.#parts.principal, 'create', path)
  }

  async #find(hash: string): Promise<RequestView> {
    const { principal, state } = this.#parts
    this.#checkMayRequest()
    const view = await state.request(hash)
    const asker = { id: principal.userId, perm: principal.permissions }
    if (!view || !mayManage(asker, view.request)) throw new Failure('notFound')
    return view
  }

  async #shownNow(hash: string): Promise<RequestLink> {
    return this.#shown(await this.#find(hash))
  }

  #shown(view: RequestView): RequestLink {
    const { principal } = this.#parts
    const { path, userId, createdAt, password, text = '', endings = [], suspended, closedAt, seen, ...request } = view.request
    const book = this.#parts.books.of(view.request.hash)
    const { hash, expire, title, mostBytes, mostFileBytes, mostFiles, filesAnHour, asksName, hasFolders, tells } = request
    const served = parsePath(path)
    const isInside = isWithin(served, principal.scope)
    return {
      ...{ hash, path: (isInside && pathBelow(principal.scope, served)) || '' },
      name: served === principal.scope ? '' : nameOf(served),
      ...{ userID: userId, username: view.owner.username, expire, created: createdAt, title, text },
      ...{ hasPassword: password !== undefined, mostBytes, mostFileBytes, mostFiles, filesAnHour, endings: [...endings] },
      ...{ asksName, hasFolders, tells, files: book?.files ?? 0, bytes: book?.bytes ?? 0, seen },
      senders: [...(book?.senders.values() ?? [])].filter(({ arrivals }) => arrivals.length > 0).length,
      ...(book?.lastAt !== undefined && { lastAt: seconds(book.lastAt) }),
      ...(closedAt !== undefined && { closedAt }),
      ...(suspended !== undefined && { inTrash: true as const }),
      ...(suspended === undefined && !(book && requestTargetOf(view)) && { leadsNowhere: true as const }),
    }
  }

  #now() {
    return Math.floor(this.#parts.clock.now() / 1000)
  }
}

const [mostSenders, mostArrivals] = [100, 500]

/** When somebody has sent something last, or came first. */
const momentOf = ({ lastAt, at }: Sender) => lastAt ?? at

/** @param after how many come before the page */
function pageOf<T>(all: readonly T[], after: string, most: number): { page: readonly T[]; next: { next?: string } } {
  const from = /^\d{1,9}$/.test(after) ? Number(after) : 0
  const end = from + most
  return { page: all.slice(from, end), next: end < all.length ? { next: String(end) } : {} }
}

function checkTitle(title: string) {
  if (title.trim() === '') throw refusedField('title', 'must not be empty')
}

function checkSizes({ mostBytes, mostFileBytes }: Pick<StoredRequest, 'mostBytes' | 'mostFileBytes'>) {
  if (mostFileBytes <= mostBytes) return
  throw refusedField('mostFileBytes', 'must be a whole number from {{least}} to {{most}}', { least: 1, most: mostBytes })
}
