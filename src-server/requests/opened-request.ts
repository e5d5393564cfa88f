// A request link as somebody with a cookie has opened it. Nothing of others is told, of what there is, or of how much is left.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { childOf, joined, type Path, parsePath, rootPath } from '../base/paths.ts'
import type { Receipt, RequestPage } from '../contract/requests.ts'
import type { Source } from '../events/events.ts'
import type { StoredRequest } from '../state/state-data.ts'
import type { UploadRecord } from '../state/upload-store.ts'
import type { RequestView } from '../state/views.ts'
import { OwnUploads, type UploadProgress } from '../uploads/own-uploads.ts'
import { PieceBody } from '../uploads/piece-body.ts'
import type { Piece } from '../uploads/upload.ts'
import type { UploadRequest } from '../uploads/uploads.ts'
import type { Grant } from '../users/access-revocation.ts'
import type { Book, Sender } from './book.ts'
import type { PublicRequestsParts } from './public-requests.ts'
import { fileTooLarge, madeWay, noMore, type Reservation } from './quotas.ts'
import { receiptsIn, seconds } from './receipts.ts'
import { keyOfSender, senderAsker, senderKey } from './sender-asker.ts'
import { type OpenedFolder, pathFor } from './sender-folders.ts'
import { metadataOf, personName } from './sender-names.ts'
import { nothingMore } from './target.ts'

export type SenderCall = Readonly<{
  view: RequestView
  book: Book
  /** The id of who has opened it. */
  sender: string
  /** The IP address of the client, and its network. */
  address: string
  source: string
  operation: Operation
  grant: Grant
  /** That of the link. */
  folder: OpenedFolder
  isOpen: boolean
  /** Whether the password was given, where there is one. */
  isUnlocked: boolean
}>

/** A file that is to be sent. */
export type SentFile = Readonly<{
  /** With its folders. */
  path: Path
  /** Bytes. */
  length: number
  /** As it came. */
  metadata?: string | undefined
}>

/** A file of a form: how long it is is known at its end. */
export type FormFile = Readonly<{
  /** With its folders. */
  path: Path
  /** Bytes. */
  atMost: number
  /** The name of the sender as the form says it. */
  given: string | undefined
}>

type Beginning = Readonly<{
  path: Path
  bytes: number
  length?: number
  metadata?: string | undefined
  given: string | undefined
}>

/** Files that one answer names. */
const mostNamed = 1000
/** The part of the file system that stays free. */
const keptFree = 0.05
/** Seconds after the end of a link for which senders can read their receipts. */
const receiptsFor = 30 * 86_400

export class OpenedRequest {
  readonly #parts: PublicRequestsParts
  readonly #call: SenderCall

  constructor(parts: PublicRequestsParts, call: SenderCall) {
    this.#parts = parts
    this.#call = call
  }

  /** What the page shows. The link may have been closed since it was opened. */
  async show(): Promise<RequestPage> {
    const { view, isUnlocked } = this.#call
    const present = (await this.#parts.viewOf(view.request.hash))?.request ?? view.request
    const { title, text, expire, mostFileBytes, endings, asksName, hasFolders } = view.request
    if (!this.#call.isOpen || present.closedAt !== undefined || !isUnlocked) {
      return { kind: 'closed', closedAt: endOf(present), receipts: isUnlocked ? this.#receipts : [] }
    }
    const { name } = this.#sender ?? {}
    return {
      ...{ kind: 'open', title, expire, mostFileBytes, asksName, hasFolders },
      ...(text !== undefined && { text }),
      ...(endings && { endings: [...endings] }),
      ...(name !== undefined && { name }),
      ...(await this.#sent()),
      receipts: this.#receipts,
      unfinished: this.#unfinished(),
    }
  }

  /**
   * Begins to send a file. One whose bytes are all there has its name when this resolves.
   * @throws Failure('gone') when the link has ended, as `Quotas.count` and `Uploads.begin`
   */
  async begin({ path, length, metadata }: SentFile, first?: Pick<Piece, 'body' | 'bytes'>): Promise<UploadProgress> {
    const given = metadataOf(metadata).get('sender')
    return this.#begin({ path, bytes: length, length, metadata, given }, (own, how) => own.begin(how, first))
  }

  /**
   * Takes a whole file. Nothing is left of one that breaks off.
   * @throws Failure('tooLarge'), and as `begin`
   */
  take({ path, atMost, given }: FormFile, body: AsyncIterable<Uint8Array>): Promise<UploadProgress> {
    const { mostFileBytes } = this.#call.view.request
    const bytes = Math.min(atMost, mostFileBytes)
    return this.#begin({ path, bytes, given }, async (own, how, place) => {
      const { id } = await own.begin(how)
      try {
        const tooMuch = place.bytes < bytes ? noMore() : fileTooLarge(mostFileBytes)
        const piece = new PieceBody(noMoreThan(body, place, tooMuch))
        const { offset } = await own.receive({ id }, { offset: 0, body: piece })
        return await own.receive({ id }, { offset, length: offset, bytes: 0, body: new PieceBody(nothing()) })
      } catch (error) {
        place.began()
        await own.remove({ id }).catch(() => {})
        throw error
      }
    })
  }

  async #begin(
    { path, bytes, length, metadata, given: said }: Beginning,
    begin: (own: OwnUploads, how: UploadRequest, place: Reservation) => Promise<UploadProgress>,
  ): Promise<UploadProgress> {
    this.assertOpen()
    const { view, book, sender, source, address } = this.#call
    const { books, quotas, clock, uploads } = this.#parts
    const { request } = view
    const given = request.asksName ? personName(said ?? '') : undefined
    const name = path.slice(1)
    if (name === '') throw new Failure('invalid', '', { about: { field: 'name' } })
    const hasName = (this.#sender?.name ?? given) !== undefined
    const isAtMost = length === undefined
    const place = quotas.count({ request, book, sender, source, name, bytes, isAtMost, hasName })
    const taken: { isKept: boolean; isStored: boolean; at?: string } = { isKept: false, isStored: false }
    const endUse = books.use(request.hash)
    const onKept = () => {
      taken.isKept = true
      // What was closed before did not find it among the uploads.
      this.#call.grant.check()
      place.kept()
      // Where the length is known the upload itself is counted from now on.
      if (length !== undefined) place.began()
    }
    try {
      await this.#checkDisk()
      const line = { is: 'sender', id: sender, at: clock.now(), address, ...(given !== undefined && { name: given }) } as const
      taken.isStored = true
      await books.add(request.hash, line)
      const own = await this.#ownFolder()
      if (own !== undefined) taken.at = childOf(joined(parsePath(request.path), childOf(rootPath, own)), 'file')
      this.#call.grant.check()
      const asker = this.#askerIn(own)
      const files = asker.filesIn(this.#call.operation)
      const target = request.hasFolders ? await pathFor(files, name) : parsePath(`/${name}`)
      taken.at = asker.servedOf(target)
      const hasFolder = request.hasFolders ? { hasFolder: true as const } : {}
      const sent = { request: { hash: request.hash, sender, name, source, ...hasFolder }, onKept }
      const how = { path: target, length, override: false, condition: {}, metadata, ...sent }
      const begun = await begin(new OwnUploads({ uploads, files, asker }), how, place)
      // It had been begun before.
      if (taken.isKept) place.began()
      else place.failed()
      return begun
    } catch (error) {
      // What is refused again and again fills the log too.
      if (taken.isStored) place.began()
      else place.failed()
      if (!taken.isKept) await this.#parts.tidy(request, sender, taken.at)
      throw error
    } finally {
      endUse()
    }
  }

  /** Of all that has arrived and is in none. @throws Failure('conflict') when there is nothing */
  async makeReceipt(): Promise<Receipt> {
    this.#checkReceipts()
    if (!this.#sender) throw new Failure('conflict', 'nothing has arrived since the last receipt')
    return this.#parts.receipts.make(this.#about)
  }

  /** @throws Failure('notFound') for somebody else's */
  async receipt(number: string): Promise<Receipt> {
    this.#checkReceipts()
    if (!this.#sender) throw new Failure('notFound')
    return this.#parts.receipts.find(this.#about, number)
  }

  /** @throws as `Upload.look` */
  look(id: string): Promise<UploadProgress> {
    return this.#withOwn(id, (own) => own.look({ id }))
  }

  /** @throws as `Upload.receive` */
  receive(id: string, piece: Piece): Promise<UploadProgress> {
    return this.#withOwn(id, (own) => own.receive({ id }, piece))
  }

  /** Where bytes are expected; undefined while some come. @throws Failure('notFound') */
  offsetOf(id: string): Promise<number | undefined> {
    return this.#withOwn(id, async (own) => own.offsetOf({ id }))
  }

  /** @throws as `Upload.remove` */
  remove(id: string): Promise<void> {
    return this.#withOwn(id, (own) => own.remove({ id }))
  }

  get #sender(): Sender | undefined {
    return this.#call.book.senders.get(this.#call.sender)
  }

  /** @throws Failure('gone') when the link has ended */
  assertOpen(): void {
    if (!this.#call.isOpen) throw nothingMore()
  }

  /** @throws Failure('gone') for one that was removed for others */
  async #withOwn<T>(id: string, work: (own: OwnUploads) => Promise<T>): Promise<T> {
    this.assertOpen()
    if (this.#parts.quotas.hasMadeWay(id)) throw madeWay()
    return work(await this.#own())
  }

  async #own(): Promise<OwnUploads> {
    const { view, folder, operation } = this.#call
    const own = view.request.hasFolders ? await this.#parts.folders.find(folder, this.#sender) : undefined
    if (view.request.hasFolders && own === undefined) throw new Failure('notFound')
    const asker = this.#askerIn(own)
    return new OwnUploads({ uploads: this.#parts.uploads, files: asker.filesIn(operation), asker })
  }

  /** It is made to its end though the link may end, or the sender leave: nobody would know one that was not. */
  async #ownFolder(): Promise<string | undefined> {
    const { view, folder, book, sender, grant } = this.#call
    if (!view.request.hasFolders) return undefined
    const making = new Operation()
    try {
      const opened = this.#parts.openFolder(folder.principal, making, { source: this.#from, grant })
      return await this.#parts.folders.findOrMake(opened, view.request.hash, { book, sender })
    } finally {
      await making.end()
    }
  }

  get #from(): Source {
    const { address, sender } = this.#call
    return { address, way: 'request', sender: this.#sender?.name ?? sender.slice(0, 8) }
  }

  #askerIn(folder: string | undefined) {
    const { view, sender, operation, grant } = this.#call
    return senderAsker(this.#parts, { view, sender, folder, source: this.#from, signal: operation.signal, grant })
  }

  /** What others are about to send is counted with this. */
  async #checkDisk() {
    const { view, source, folder, operation } = this.#call
    const { total, free } = await folder.disk.usage(authorize(folder.principal, 'read', rootPath), operation.signal)
    // Of some file systems nothing is known.
    if (total > 0) this.#parts.quotas.checkDisk({ request: view.request, source }, free - total * keptFree)
  }

  /** @throws Failure('unauthorized') without the password, Failure('notFound') long after the end */
  #checkReceipts() {
    const { isUnlocked, view } = this.#call
    if (!isUnlocked) throw new Failure('unauthorized')
    const end = endOf(view.request)
    if (this.#parts.clock.now() / 1000 > end + receiptsFor) throw new Failure('notFound')
  }

  get #about() {
    const { view, sender } = this.#call
    return { hash: view.request.hash, sender, title: view.request.title, name: this.#sender?.name }
  }

  get #receipts() {
    return this.#sender ? receiptsIn(this.#sender) : []
  }

  /** The newest first. */
  async #sent() {
    const { arrivals = [] } = this.#sender ?? {}
    const newest = await this.#parts.books.arrivals(this.#call.view.request.hash, arrivals.slice(-mostNamed).reverse())
    return { sent: newest.map(({ name, size, at }) => ({ name, size, at: seconds(at) })), sentCount: arrivals.length }
  }

  #unfinished() {
    const { view, sender } = this.#call
    const key = senderKey(view.request.hash, sender)
    const isOwn = (record: UploadRecord) => keyOfSender(record) === key && record.finishedAt === undefined
    const own = this.#parts.uploads.unfinished(isOwn)
    return own.flatMap(({ isGone, record: { id, request, length, offset, metadata } }) => {
      if (isGone || length === undefined) return []
      return [{ id, name: request?.name ?? '', length, offset, ...(metadata !== undefined && { metadata }) }]
    })
  }
}

/** @throws the failure when more comes than may */
async function* noMoreThan(body: AsyncIterable<Uint8Array>, place: Reservation, tooMuch: Failure): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > place.bytes) throw tooMuch
    yield chunk
    place.came(chunk.length)
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Seconds since the epoch. */
function endOf({ closedAt = Number.POSITIVE_INFINITY, expire }: StoredRequest): number {
  return Math.min(closedAt, expire || Number.POSITIVE_INFINITY)
}
