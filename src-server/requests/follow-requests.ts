// What becomes of the uploads and folders of senders when their link, its folder or the server ends.

import { join } from 'node:path'
import { authorize } from '../access/authorize.ts'
import { noPermissions } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { noRules } from '../access/rules.ts'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { childOf, isWithin, nameOf, type Path, parentOf, partsOf, pathBelow } from '../base/paths.ts'
import type { Disk } from '../disk/disk.ts'
import { mapLimit } from '../disk/map-limit.ts'
import { byDevice } from '../disk/mounts.ts'
import type { Events } from '../events/events.ts'
import { removeEmptyFolder } from '../files/empty-folders.ts'
import type { State } from '../state/state.ts'
import type { StoredRequest } from '../state/state-data.ts'
import type { UploadRecord } from '../state/upload-store.ts'
import { allOf } from '../state/views.ts'
import { rightLost } from '../uploads/asker.ts'
import { followMoves } from '../uploads/follow-moves.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Book } from './book.ts'
import type { Books } from './books.ts'
import type { Quotas } from './quotas.ts'
import type { SenderFolders } from './sender-folders.ts'
import type { Sums } from './sums.ts'

/** Milliseconds for which what somebody has sent a part of is kept after its last byte, and one without bytes or with hardly any. */
export const life = { withBytes: 24 * 3600_000, withoutBytes: 600_000 }
/** The least that must have come of a file, or of its length, so that what was announced is kept for long: a single byte costs nothing. */
const leastOfFile = { bytes: 1_000_000, part: 0.01 }
/** Uploads that are ended at a time: each may look into the trash. */
const endsAtOnce = 8

type FollowParts = Readonly<{
  state: Pick<State, 'feed' | 'requests' | 'request'>
  events: Events
  books: Books
  folders: Pick<SenderFolders, 'alone'>
  sums: Pick<Sums, 'add'>
  diskFor(principal: Principal, operation: Operation): Disk
  /** The served folder, a path of the host. */
  root: string
  clock: Clock
  report(error: unknown): void
}>

/** What a kill may have left at a path of the served root, or below. */
type Settling = Readonly<{ path: string; settle(): Promise<void> }>

/** The server itself, which removes folders in which nothing is. */
const server: Principal = {
  ...{ userId: 0, name: '', rules: noRules, scope: '/' as Path, base: '/' as Path },
  permissions: { ...noPermissions, delete: true },
}

export class RequestFollowing {
  readonly #parts: FollowParts
  /** The links, and those of before whose uploads are being ended. */
  readonly #links = new Map<string, StoredRequest>()
  /** The ids of uploads of which nothing but the record is left. */
  readonly #ending = new Set<string>()
  #uploads: Uploads | undefined
  #quotas: Pick<Quotas, 'isSending'> | undefined

  constructor(parts: FollowParts) {
    this.#parts = parts
  }

  /** Milliseconds for which an upload is kept after its last byte: not longer than its link. */
  lifeOf(record: UploadRecord): number {
    const { request, changedAt } = record
    const { expire = 0 } = this.#links.get(request?.hash ?? '') ?? {}
    const most = hasEnough(record) ? life.withBytes : life.withoutBytes
    return expire === 0 ? most : Math.min(most, Math.max(0, expire * 1000 - changedAt))
  }

  /** The folder of a link, of the served root; undefined where it is not known. */
  folderOf(hash: string): string | undefined {
    return this.#links.get(hash)?.path
  }

  /** A file of a sender has its name. @throws the errno of what failed */
  async named({ id, userId, request, path, offset, made = [], sealed = '' }: UploadRecord): Promise<void> {
    const view = request && (await this.#parts.state.request(request.hash))
    if (!view) return
    const { hash, sender, name } = request
    const folders = made.length > 0 && { folders: made.length }
    const where = whereIn(view.request, name, path as Path)
    const about = { sender, name, ...where, size: offset, ...folders, version: sealed, at: this.#parts.clock.now() }
    const line = { is: 'arrival', upload: id, ...about } as const
    if (await this.#parts.books.addArrival(hash, line, userId)) this.#parts.sums.add(hash, id)
  }

  /** An upload ends without a name. Its folders go first: without the record nobody would know them after a kill. */
  async ending({ id, request, path }: UploadRecord, remove: () => Promise<void>): Promise<void> {
    this.#ending.add(id)
    try {
      const link = this.#links.get(request?.hash ?? '')
      if (request) {
        const tidied = link ? this.#tidyAbove(link, request.sender, path as Path) : this.#tidyDeleted(request, path as Path)
        await tidied.catch(this.#parts.report)
      }
      await remove()
    } finally {
      this.#ending.delete(id)
    }
  }

  /** Whether a file that was refused at its end is removed: senders can give it no other name. A right may come back. */
  isGivenUp({ code, template }: NonNullable<UploadRecord['refused']>): boolean {
    return ['forbidden', 'invalid', 'conflict'].includes(code) && template !== rightLost().template
  }

  /** Removes the folders of a sender who has nothing in them. @param at the served path of a file that did not come there */
  async tidy(request: StoredRequest, sender: string, at?: string): Promise<void> {
    // The link may be deleted meanwhile.
    if (at !== undefined) await this.#tidyAbove(this.#links.get(request.hash) ?? request, sender, at as Path)
  }

  /** Ends what a kill has left, and follows what becomes of the links from now on. Call it once. @returns ends that */
  async begin(uploads: Uploads, quotas: Pick<Quotas, 'isSending'>): Promise<() => void> {
    const { state, events, clock, report } = this.#parts
    this.#uploads = uploads
    this.#quotas = quotas
    const requests = await allOf((after: string | undefined) => state.requests({ after }))
    for (const request of requests) this.#links.set(request.hash, request)
    const end = state.feed.listen(['request'], (news) => {
      for (const one of news) if (one.kind === 'request') this.#follow(one.id, one.before, one.after).catch(report)
    })
    // Not awaited: a disk that does not answer must not keep the server from starting.
    this.#settleAll(uploads).catch(this.#parts.report)
    followMoves(events, uploads, clock)
    events.done(async (event) => {
      if (!('isDir' in event && event.isDir)) return
      const { kind, path, to } = event
      if (kind === 'rename' && to !== undefined) await this.#renamed(path, to)
    })
    return end
  }

  /** On each disk by itself: one that does not answer keeps nothing on others as a kill has left it. */
  async #settleAll(uploads: Uploads) {
    const { books, report, root } = this.#parts
    // Before anything is waited for: what comes from now on is none that a kill has left.
    const left = uploads.all(() => true)
    const links = [...this.#links.values()].filter(({ hasFolders }) => hasFolders)
    const lost: Settling[] = []
    try {
      for await (const [hash, book] of books.lost()) {
        const { within } = book
        if (within !== undefined) lost.push({ path: within, settle: () => this.#tidyLost({ hash, path: within }, book) })
      }
    } catch (error) {
      // Those of links that are there are ended all the same.
      report(error)
    }
    const all: readonly Settling[] = [
      ...left.map((upload) => ({ path: upload.record.path, settle: () => this.#settle(upload) })),
      ...links.map((link) => ({ path: link.path, settle: () => this.#tidyAll(link) })),
      ...lost,
    ]
    const byDisk = [...byDevice(all, ({ path }) => join(root, path)).values()]
    const settleOn = async (own: readonly Settling[]) => {
      for (const { settle } of own) await settle().catch(report)
    }
    await Promise.all(byDisk.map(settleOn))
  }

  async #tidyLost(link: Pick<StoredRequest, 'hash' | 'path'>, book: Book) {
    await this.#tidyAll(link, book).catch(this.#parts.report)
    // An empty folder that has the name from now on is the owner's.
    await this.#parts.books.tidied(link.hash)
  }

  async #settle(upload: ReturnType<Uploads['all']>[number]) {
    await upload.settle()
    const { record } = upload
    if (record.finishedAt !== undefined) return this.named(record)
    const link = this.#links.get(record.request?.hash ?? '')
    const isGivenUp = record.refused !== undefined && this.isGivenUp(record.refused)
    // One of a form, which nobody can go on with, has no length.
    if (!link || link.closedAt !== undefined || record.length === undefined || isGivenUp || record.ended) await upload.end()
  }

  async #follow(hash: string, before: StoredRequest | undefined, after: StoredRequest | undefined) {
    const { books } = this.#parts
    if (after) this.#links.set(hash, after)
    this.#uploads?.lifeChanged()
    const isClosed = after?.closedAt !== undefined && before?.closedAt === undefined
    if (after && !isClosed) return
    await this.#endWhere(({ request, finishedAt }) => request?.hash === hash && finishedAt === undefined)
    if (after) return
    this.#links.delete(hash)
    await books.remove(hash)
  }

  async #endWhere(isMeant: (record: UploadRecord) => boolean) {
    await mapLimit(this.#uploads?.all(isMeant) ?? [], endsAtOnce, (upload) => upload.end().catch(this.#parts.report))
  }

  /** A folder of a sender is known by its new name. */
  async #renamed(from: Path, to: Path) {
    if (parentOf(from) !== parentOf(to)) return
    for (const { hash, path } of this.#links.values()) {
      if (path !== parentOf(from)) continue
      const senders = [...(this.#parts.books.find(hash)?.senders.values() ?? [])]
      // Of several that have had the name what it is tells whose it is.
      for (const { id, folder } of senders)
        if (folder?.name === nameOf(from))
          await this.#parts.books.add(hash, { is: 'folder', sender: id, name: nameOf(to), identity: folder.identity })
    }
  }

  /** A kill may come when folders are made, and nothing that goes there is known. */
  async #tidyAll(link: Pick<StoredRequest, 'hash' | 'path'>, book = this.#parts.books.find(link.hash)) {
    const senders = [...(book?.senders.values() ?? [])]
    for (const { id, arrivals, folder, planned } of senders) {
      const name = planned ?? folder?.name
      // Of one that was only planned nothing tells whose it is.
      const isOfAnother = planned !== undefined && senders.some((one) => one.folder?.name === planned)
      if (name === undefined || arrivals.length > 0 || isOfAnother) continue
      const own = { path: childOf(link.path as Path, name), ...(planned === undefined && folder) }
      await this.#unlessSending(link.hash, id, () => this.#removeEmptyTree(own)).catch(this.#parts.report)
    }
  }

  /** @param own.identity undefined where nothing tells it: then no folder below it is its sender's */
  async #removeEmptyTree({ path, identity }: Readonly<{ path: Path; identity?: string }>) {
    await this.#onDisk(async (context) => {
      const { disk, principal } = context
      const remove = async (folder: Path): Promise<boolean> => {
        for (const { name, isDir, isSymlink } of await disk.list(authorize(principal, 'read', folder)))
          if (identity === undefined || !isDir || isSymlink || !(await remove(childOf(folder, name)))) return false
        return removeEmptyFolder(context, folder)
      }
      const present = await disk.identify(authorize(principal, 'read', path)).catch(ignoringLost)
      if (present !== undefined && (!identity || identity === present)) await remove(path)
    })
  }

  /** Removes the folders above a path, up to that of a sender who has sent nothing. */
  async #tidyAbove(link: StoredRequest, sender: string, path: Path) {
    const { hash } = link
    if (!link.hasFolders) return
    await this.#unlessSending(hash, sender, () => this.#removeEmpty(path, link.path as Path))
  }

  async #unlessSending(hash: string, sender: string, work: () => Promise<void>) {
    const has = () => (this.#parts.books.find(hash)?.senders.get(sender)?.arrivals.length ?? 0) > 0
    await this.#parts.folders.alone(hash, sender, async () => {
      if (!has() && !this.#quotas?.isSending(hash, sender, (id) => this.#ending.has(id))) await work()
    })
  }

  /** A kill came after the link was deleted: no more is known than what the upload says. */
  async #tidyDeleted({ hash, sender, name, hasFolder }: NonNullable<UploadRecord['request']>, path: Path) {
    if (!hasFolder) return
    // The file, the folders that it came with, and that of the sender.
    let top = parentOf(parentOf(path))
    for (const _ of name.split('/').slice(1)) top = parentOf(top)
    await this.#parts.folders.alone(hash, sender, () => this.#removeEmpty(path, top))
  }

  async #removeEmpty(path: Path, top: Path) {
    await this.#onDisk(async (context) => {
      for (let folder = parentOf(path); folder !== top && isWithin(folder, top); folder = parentOf(folder))
        if (!(await removeEmptyFolder(context, folder))) return
    })
  }

  async #onDisk(work: (context: Readonly<{ principal: Principal; disk: Disk; signal: AbortSignal }>) => Promise<void>) {
    const operation = new Operation()
    try {
      await work({ principal: server, disk: this.#parts.diskFor(server, operation), signal: operation.signal })
    } finally {
      await operation.end()
    }
  }
}

function ignoringLost(error: unknown): undefined {
  if (!(error instanceof Failure) || !['notFound', 'forbidden', 'invalid'].includes(error.code)) throw error
}

/** Where a file is, as a line of the log says it. @param path in the served root */
function whereIn({ path: folder, hasFolders }: StoredRequest, name: string, path: Path): { as?: string; path?: string } {
  const below = pathBelow(folder as Path, path)
  if (below === undefined) return { path }
  const as = partsOf(below)
    .slice(hasFolders ? 1 : 0)
    .join('/')
  return as === name ? {} : { as }
}

/** Of a form it is not known how long a file is, and it ends with its request. */
function hasEnough({ offset, length }: UploadRecord): boolean {
  return length === undefined || offset >= leastOfFile.bytes || offset >= length * leastOfFile.part
}
