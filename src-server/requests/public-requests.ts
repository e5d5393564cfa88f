// Opens request links for whoever has their hash.
import { authorize } from '../access/authorize.ts'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { rootPath } from '../base/paths.ts'
import type { LinkPasswords } from '../shares/link-passwords.ts'
import type { StoredRequest } from '../state/state-data.ts'
import type { RequestView } from '../state/views.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Books } from './books.ts'
import { OpenedRequest } from './opened-request.ts'
import type { Quotas } from './quotas.ts'
import type { Receipts } from './receipts.ts'
import type { SenderAskerParts } from './sender-asker.ts'
import type { OpenedFolder, OpenFolder, SenderFolders } from './sender-folders.ts'
import type { SenderCookies } from './senders.ts'
import { creatorIn, isOpen, refusalOf, requestTargetOf } from './target.ts'

export type PublicRequestsParts = SenderAskerParts &
  Readonly<{
    linkPasswords: Pick<LinkPasswords, 'open'>
    cookies: SenderCookies
    books: Books
    quotas: Quotas
    receipts: Receipts
    uploads: Uploads
    folders: SenderFolders
    openFolder: OpenFolder
    /** Removes folders of a sender who has nothing in them. @param at the served path of a file that did not come there */
    tidy(request: StoredRequest, sender: string, at: string | undefined): Promise<void>
    clock: Clock
  }>

/** A call of somebody who has a request link. */
export type SenderRequest = Readonly<{
  hash: string
  /** The IP address of the client, and its network. */
  address: string
  source: string
  password?: string | undefined
  ticket?: string | undefined
  /** The cookie of an earlier answer. */
  cookie?: string | undefined
  operation: Operation
  /** Closes the connection when the right is withdrawn meanwhile. */
  cut(): void
  /** See `RequestHold`. */
  closingGrace?: number | undefined
}>

/** `newTicket`: stands for the password that was given, for an hour. `newCookie`: of somebody without a valid one. */
export type OpenedByCall = Readonly<{ opened: OpenedRequest; newTicket: string | undefined; newCookie: string | undefined }>

export class PublicRequests {
  readonly #parts: PublicRequestsParts

  constructor(parts: PublicRequestsParts) {
    this.#parts = parts
  }

  /**
   * Everything is asked afresh: the link, the rights and the scope of its owner, and whether its folder is still there. One that has ended
   * says so alone.
   * @throws Failure('notFound') for every link that leads nowhere, Failure('unauthorized' | 'tooMany' | 'busy') as its password asks
   */
  async open(asked: SenderRequest): Promise<OpenedByCall> {
    const { hash, address, source, operation, cut, closingGrace } = asked
    const { revocation, viewOf, books, cookies, openFolder, clock } = this.#parts
    const read = async () => {
      const view = await viewOf(hash)
      const target = view && requestTargetOf(view)
      const book = target && books.of(hash)
      if (!view || !target || !book) throw new Failure('notFound')
      return { ...view, target, book }
    }
    const { view, grant } = await revocation.holdRequest(read, operation, { refusalOf, cut, closingGrace })
    const { request } = view
    const { isUnlocked, newTicket } = await this.#unlock(view, asked)
    grant.check()
    const how = { source: { address, way: 'request' }, grant } as const
    const folder = openFolder(creatorIn(view.target, undefined), operation, how)
    if (!(await isFolderOf(request, folder, operation.signal))) throw new Failure('notFound')
    const known = cookies.idIn(hash, asked.cookie)
    const made = known === undefined ? cookies.make(hash) : { id: known, cookie: undefined }
    const sending = { view, sender: made.id, address, source, operation, grant, isUnlocked, folder }
    const opened = new OpenedRequest(this.#parts, { ...sending, book: view.book, isOpen: isOpen(request, clock.now()) })
    return { opened, newTicket, newCookie: made.cookie }
  }

  /** One that has ended says so without its password. */
  async #unlock({ request }: RequestView, { password, ticket, address }: SenderRequest) {
    try {
      return { isUnlocked: true, newTicket: await this.#parts.linkPasswords.open(request, { password, ticket, address }) }
    } catch (error) {
      const isAsked = password === undefined && error instanceof Failure && error.code === 'unauthorized'
      if (!isAsked || isOpen(request, this.#parts.clock.now())) throw error
      return { isUnlocked: false, newTicket: undefined }
    }
  }
}

/** Whether the folder of a link is what it was when the link was made. */
async function isFolderOf({ identity }: StoredRequest, { disk, principal }: OpenedFolder, signal: AbortSignal): Promise<boolean> {
  try {
    const present = await disk.identify(authorize(principal, 'read', rootPath), signal)
    return identity === '' || identity === present
  } catch (error) {
    if (error instanceof Failure && ['notFound', 'forbidden', 'invalid'].includes(error.code)) return false
    throw error
  }
}
