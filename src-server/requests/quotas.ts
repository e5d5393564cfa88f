// How much senders may do: counted in memory before anything is waited for, and given back when it comes to nothing.
import { Failure } from '../base/failure.ts'
import { extensionOf } from '../files/kinds.ts'
import type { StoredRequest } from '../state/state-data.ts'
import type { Upload } from '../uploads/upload.ts'
import { customerOf } from '../users/source-address.ts'
import { type Book, countedBytes } from './book.ts'

const hour = 3600_000

/** Unfinished uploads of one sender, of one address or customer of a provider, and of one link. */
const mostUnfinished = { sender: 20, source: 100, link: 500 }
/** New senders of one link in an hour from one address, or from one that many people have, and those of the link who have sent a file. */
const mostSenders = { source: 300, shared: 3000, link: 10_000 }
/** The part of what is left of a link, and of the disk, that is kept for what one address has announced. */
const mostReserved = 0.25
/** Bytes of a file that must have come so that it makes way for nobody. A piece of the page is never smaller. */
const leastKept = 1_000_000
/** Milliseconds for which nothing has come of a file that makes way. */
const idle = 60_000
/** Uploads of which it is remembered that they were removed for others. */
const mostDisplaced = 10_000

/** Folders that one file may come with. */
const mostFolders = 32

/** Bytes of a name with its folders. It is kept in the log of the link. */
const longestName = 1024

/** A file that somebody is about to send. */
export type SendingFile = Readonly<{
  request: StoredRequest
  book: Book
  /** The id of the sender. */
  sender: string
  /** The address, or its network. */
  source: string
  /** With its folders. */
  name: string
  bytes: number
  /** `bytes` is the most that may come, and less is counted where less is left. */
  isAtMost?: boolean
  /** Whether the sender has said a name, now or before. */
  hasName: boolean
}>

type Unfinished = Readonly<{
  /** Of the upload, as soon as there is one. */
  id?: string
  hash: string
  userId: number
  sender: string
  /** The address, or its network, and the network of its customer. */
  source: string
  customer: string
  bytes: number
  folders: number
  upload?: Upload
}> & { left: number }

/** What is counted. */
export type Reservation = Readonly<{
  /** That may come. */
  bytes: number
  /** Some of them have come: the disk has them. */
  came(bytes: number): void
  /** It is among the uploads from now on: what has to make way for it ends. */
  kept(): void
  /** It is counted as an upload from now on, or was refused after something of it was stored. */
  began(): void
  /** Nothing of it was stored. */
  failed(): void
}>

type QuotaParts = Readonly<{
  /** Those of senders that have no name yet. */
  unfinished(): Upload[]
  /** Whether many people may have an address, as behind a proxy that is not named: then it does not tell who sends too much. */
  isShared(source: string): boolean
  now(): number
  /** Called when an upload cannot be removed for others. */
  report?(error: unknown): void
}>

export class Quotas {
  readonly #parts: QuotaParts
  /** What is not among the uploads yet. */
  readonly #pending = new Set<Unfinished>()
  /** Link and customer → when files of it came in the last hour. */
  readonly #files = new Map<string, number[]>()
  readonly #senders = new Map<string, number[]>()
  /** The ids of uploads that were removed for others, the oldest first. */
  readonly #displaced = new Set<string>()
  /** What is to make way for what is pending, and stays when that is refused. */
  readonly #promised = new Set<Upload>()

  constructor(parts: QuotaParts) {
    this.#parts = parts
  }

  /**
   * Counts a file that is to be sent.
   * @throws Failure('invalid' | 'tooLarge' | 'tooMany' | 'full') in the order of what the sender can do about it
   */
  count(asked: SendingFile): Reservation {
    const { request, book, sender, source } = asked
    checkFile(asked)
    const key = `${request.hash} ${customerOf(source)}`
    const recent = recentIn(this.#files, key, this.#parts.now() - hour)
    if (recent.length >= request.filesAnHour) throw tooMuch(recent, this.#parts.now())
    const present = this.#unfinished()
    const displaced = this.#toDisplace(asked, present)?.upload
    const all = displaced ? present.filter(({ upload }) => upload !== displaced) : present
    this.#checkUnfinished(asked, all)
    const isNew = !book.senders.has(sender) && !all.some((one) => one.hash === request.hash && one.sender === sender)
    const senders = recentIn(this.#senders, key, this.#parts.now() - hour)
    const isShared = this.#parts.isShared(source)
    if (isNew && senders.length >= mostSenders[isShared ? 'shared' : 'source']) throw tooMuch(senders, this.#parts.now())
    if (isNew && book.withFiles >= mostSenders.link) throw noMore()
    const bytes = bytesFor(asked, all)
    if (!isShared) checkReserved({ ...asked, bytes }, all)
    if (displaced) this.#promised.add(displaced)
    const about = { hash: request.hash, userId: request.userId, sender, source, customer: customerOf(source) }
    const one = { ...about, bytes, folders: 0, left: bytes }
    const at = this.#parts.now()
    this.#pending.add(one)
    recent.push(at)
    if (isNew) senders.push(at)
    const began = () => {
      this.#pending.delete(one)
      if (displaced) this.#promised.delete(displaced)
    }
    const kept = () => {
      if (displaced && this.#promised.has(displaced)) this.#displace(displaced)
    }
    const failed = () => {
      began()
      removeOne(recent, at)
      if (isNew) removeOne(senders, at)
    }
    const came = (count: number) => {
      one.left = Math.max(0, one.left - count)
    }
    return { bytes, came, kept, began, failed }
  }

  /** Whether somebody has something on its way. @param isEnding whether an upload, by its id, is none of that */
  isSending(hash: string, sender: string, isEnding: (id: string) => boolean): boolean {
    return this.#unfinished().some((one) => one.hash === hash && one.sender === sender && !(one.id && isEnding(one.id)))
  }

  /**
   * Checks the disk for what was counted. Of each other address, and of the links of all other owners together, no more is kept than a
   * part: who announces much and sends nothing shuts nobody out.
   * @param available bytes that senders may fill @throws Failure('full')
   */
  checkDisk({ request: { userId }, source }: Pick<SendingFile, 'request' | 'source'>, available: number): void {
    const atMost = Math.max(0, available) * mostReserved
    const byCustomer = new Map<string, number>()
    let ofOthers = 0
    let reserved = 0
    for (const one of this.#unfinished()) {
      const { customer, left } = one
      if (one.userId !== userId) ofOthers += left
      else if (customer === customerOf(source) || this.#parts.isShared(one.source)) reserved += left
      else byCustomer.set(customer, (byCustomer.get(customer) ?? 0) + left)
    }
    for (const left of [ofOthers, ...byCustomer.values()]) reserved += Math.min(left, atMost)
    if (reserved > available) throw noMore()
  }

  /** Whether an upload was ended because somebody else needed its place. @param id that of the upload */
  hasMadeWay(id: string): boolean {
    return this.#displaced.has(id)
  }

  #unfinished(): Unfinished[] {
    const known = this.#parts.unfinished().flatMap((upload): Unfinished[] => {
      const { record, isGone, isReceiving, isEnded } = upload
      const { id, request, length, offset, userId, made = [] } = record
      // Of a form: it is counted as pending to its end. Of one that cannot be gone on with: what is there until it is removed.
      const isOver = isGone && !isReceiving
      if (length === undefined || isEnded || (isOver && offset === 0)) return []
      if (this.#displaced.has(id) || this.#promised.has(upload)) return []
      const { hash = '', sender = '', source = '' } = request ?? {}
      const bytes = isOver ? offset : length
      const of = { id, hash, userId, sender, source, customer: customerOf(source) }
      return [{ ...of, bytes, folders: made.length, left: bytes - offset, upload }]
    })
    return [...known, ...this.#pending]
  }

  /**
   * What makes way for a newcomer where the places of a link are taken by what was announced: of who holds the most of them, and more than
   * the newcomer then would, the one of which the least has come. What is being received, was a minute ago, or of which 1 MB has come
   * stays: two who have equally many would end each other's files in turn.
   */
  #toDisplace({ request, book, sender, source }: SendingFile, all: readonly Unfinished[]): Unfinished | undefined {
    const ofLink = all.filter(({ hash }) => hash === request.hash)
    const isFull = ofLink.length >= mostUnfinished.link || book.files + ofLink.length >= request.mostFiles
    if (!isFull) return undefined
    const isShared = (one: string) => this.#parts.isShared(one)
    const holderOf = (one: Pick<Unfinished, 'source' | 'customer' | 'sender'>) =>
      isShared(one.source) ? one.sender : one.customer
    const counts = new Map<string, number>()
    for (const one of ofLink) counts.set(holderOf(one), (counts.get(holderOf(one)) ?? 0) + 1)
    const countOf = (holder: string) => counts.get(holder) ?? 0
    const own = countOf(holderOf({ source, customer: customerOf(source), sender }))
    const idleSince = this.#parts.now() - idle
    const mayGo = (one: Unfinished) =>
      countOf(holderOf(one)) > own + 1 && hasLittle(one) && (one.upload?.record.changedAt ?? 0) <= idleSince
    const rank = (one: Unfinished) => [-countOf(holderOf(one)), one.bytes - one.left, one.upload?.record.changedAt ?? 0]
    return ofLink.filter(mayGo).reduce<Unfinished | undefined>((first, one) => {
      return first && !isBefore(rank(one), rank(first)) ? first : one
    }, undefined)
  }

  #displace(upload: Upload) {
    const [oldest] = this.#displaced
    if (oldest !== undefined && this.#displaced.size >= mostDisplaced) this.#displaced.delete(oldest)
    if (upload.isFinished || upload.isComplete || upload.isRemoved) return
    this.#displaced.add(upload.record.id)
    upload.end().catch((error: unknown) => this.#parts.report?.(error))
  }

  #checkUnfinished({ request: { hash }, sender, source }: SendingFile, all: readonly Unfinished[]) {
    const ofLink = all.filter((one) => one.hash === hash)
    const isFull =
      ofLink.filter((one) => one.sender === sender).length >= mostUnfinished.sender ||
      (!this.#parts.isShared(source) &&
        all.filter(({ customer }) => customer === customerOf(source)).length >= mostUnfinished.source) ||
      ofLink.length >= mostUnfinished.link
    if (isFull) throw tooMuchAtOnce()
  }
}

/** Whether a file that was announced may make way: hardly anything of it is there, and nothing comes. */
function hasLittle({ upload, bytes, left }: Unfinished): boolean {
  return upload !== undefined && !upload.isInUse && !upload.isComplete && bytes - left < leastKept
}

/** Whether a rank is before another: by its first number that differs. */
function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((number, index) => number !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}

/** What the sender can know of a file before it is sent. */
function checkFile({ request, name, bytes, hasName }: SendingFile) {
  const { asksName, hasFolders, endings, mostFileBytes } = request
  if (asksName && !hasName) throw new Failure('invalid', 'say your name first')
  if (!hasFolders && name.includes('/')) throw new Failure('invalid', 'folders are not taken in here')
  if (name.split('/').length - 1 > mostFolders || Buffer.byteLength(name) > longestName)
    throw new Failure('invalid', 'the name is too long')
  const ending = extensionOf(name).slice(1).toLowerCase().normalize('NFC')
  if (endings && !endings.some((one) => one.normalize('NFC') === ending))
    throw new Failure('invalid', 'files of this kind are not taken in here')
  if (bytes > mostFileBytes) throw fileTooLarge(mostFileBytes)
}

/** @param most bytes */
export const fileTooLarge = (most: number) =>
  new Failure('tooLarge', 'a file may have at most {{bytes}} bytes here', { about: { bytes: most } })

/** By what has arrived, and what is on its way. @returns what may come @throws Failure('full') */
function bytesFor({ request, book, bytes, isAtMost = false }: SendingFile, all: readonly Unfinished[]): number {
  const ofLink = all.filter((one) => one.hash === request.hash)
  const coming = ofLink.reduce((sum, one) => sum + countedBytes(one.bytes, one.folders), 0)
  const left = request.mostBytes - book.countedBytes - coming
  const most = isAtMost ? Math.min(bytes, left) : bytes
  if (book.files + ofLink.length >= request.mostFiles || countedBytes(most) > left) throw noMore()
  return most
}

/** A file that comes alone may be as large as the link allows. */
function checkReserved({ request, book, source, bytes }: SendingFile, all: readonly Unfinished[]) {
  const ofLink = all.filter((one) => one.hash === request.hash)
  // What can no longer be gone on with is kept for nothing more.
  const own = ofLink.filter(({ customer, left }) => customer === customerOf(source) && left > 0)
  if (own.length === 0) return
  const there = ofLink.reduce((sum, one) => sum + one.bytes - one.left, book.countedBytes)
  const reserved = own.reduce((sum, { left }) => sum + countedBytes(left), countedBytes(bytes))
  if (reserved > (request.mostBytes - there) * mostReserved) throw tooMuchAtOnce()
}

export const madeWay = () => new Failure('gone', 'the file was removed so that files of others have space')

export const noMore = () => new Failure('full', 'no more can be taken in at the moment')

const tooMuchAtOnce = () => new Failure('tooMany', 'too much has come in a short time')

/** @param times of which the first leaves the last hour first */
function tooMuch(times: readonly number[], now: number): Failure {
  const [first = now] = times
  return new Failure('tooMany', 'too much has come in a short time', { retryAfter: Math.max(1, (first + hour - now) / 1000) })
}

/** Those of a key since a moment; what others have that is older is forgotten now and then. */
function recentIn(all: Map<string, number[]>, key: string, since: number): number[] {
  if (all.size > mostKeys) for (const [other, times] of all) if ((times.at(-1) ?? 0) < since) all.delete(other)
  const times = all.get(key) ?? []
  all.set(key, times)
  const first = times.findIndex((time) => time >= since)
  times.splice(0, first < 0 ? times.length : first)
  return times
}

const mostKeys = 10_000

function removeOne(times: number[], time: number) {
  const at = times.lastIndexOf(time)
  if (at >= 0) times.splice(at, 1)
}
