// Which requests of a link belong to one visit, so that a resumed download, a film and the files of a folder count once.
import { createHmac, randomBytes } from 'node:crypto'
import type { StoredLink } from '../state/state-data.ts'

/** Seconds in which further downloads of a visitor belong to the one that was counted. */
export const visitLife = 3600

/** Visits of one address and agent in which a request without a cookie is looked for. */
const mostAlike = 64
/** Visits that are forgotten at once: the next request forgets further ones. */
const mostForgotten = 256

/** Who asks for something of a link. */
export type LinkClient = Readonly<{
  /** The address, or its network. */
  source: string
  /** The User-Agent header. */
  agent: string
  /** The cookie of an earlier answer. */
  visit?: string | undefined
  /** Whether many people share the address, because a proxy is between that is not named. */
  isShared: boolean
}>

/** What a request is answered with. */
export type Part = Readonly<{
  /** Names the content: path and version. */
  content: string
  /** Bytes of the whole content, and of what is asked of it; halves of what has no ranges, which counts half when it broke off. */
  size: number
  length: number
  inHalves?: boolean
  /** Whether it is a range of exactly this version, by If-Range. */
  isOfVersion: boolean
}>

/** `open`: requests whose answer has not ended. `isSent`: one of them has sent something, so that the download counts. */
export type Visit = {
  /** Whose visit it is, unreadable: by its cookie, and by address and agent. */
  readonly key: string
  readonly from: string
  /** The cookie; unknown for a visit from before a restart. */
  readonly cookie?: string
  /** Seconds since the epoch. */
  readonly at: number
  /** Resolves when the log has it; absent for a visit from before a restart. */
  counted?: Promise<void>
  open: number
  isSent: boolean
  /** Bytes that were sent or are being sent of each content. */
  readonly sent: Map<string, number>
}

type VisitsParts = Readonly<{
  /** The present one: makes visitors unreadable. With another one they are new visitors. */
  secret(): string
  /** Seconds since the epoch. */
  now(): number
  /** Visits, and contents of all visits, that are remembered; further ones replace the oldest, which are then counted again. */
  most: Readonly<{ visits: number; contents: number }>
}>

/** The visits of the last hour. */
export class Visits {
  readonly #parts: VisitsParts
  readonly #visits = new Map<string, Visit>()
  /** The newest visits of an address and agent. Those whose cookie has come are not among them: a request without it is of somebody else. */
  readonly #from = new Map<string, Set<Visit>>()
  /** Whose visit is none, because nothing was downloaded → when it began. */
  readonly #seen = new Map<string, number>()
  #contents = 0

  constructor(parts: VisitsParts) {
    this.#parts = parts
  }

  /** The visit that a visitor may continue, with a part when one is named. */
  find(link: Pick<StoredLink, 'hash'>, visitor: LinkClient, part?: Part): Visit | undefined {
    const own = visitor.visit && this.#living(this.#visits.get(this.#keyOf(link, visitor.visit)))
    if (own) {
      this.#takeFrom(own)
      return own
    }
    for (const visit of this.#from.get(this.#fromOf(link, visitor)) ?? [])
      if (this.#living(visit) && (!part || isContinued(visit, visitor, part))) return visit
    return undefined
  }

  /** Begins a visit. */
  begin(link: Pick<StoredLink, 'hash'>, visitor: LinkClient): Visit {
    const cookie = randomBytes(16).toString('base64url')
    const made = { key: this.#keyOf(link, cookie), from: this.#fromOf(link, visitor), cookie, at: this.#parts.now() }
    return this.#add({ ...made, open: 0, isSent: false, sent: new Map() })
  }

  /** Whether a visitor without a visit comes for the first time within an hour. */
  isFirstSight(link: Pick<StoredLink, 'hash'>, visitor: LinkClient): boolean {
    if (this.find(link, visitor)) return false
    const [from, now] = [this.#fromOf(link, visitor), this.#parts.now()]
    const before = this.#seen.get(from)
    if (before !== undefined && now - before < visitLife) return false
    this.#seen.delete(from)
    this.#seen.set(from, now)
    const [oldest = from] = this.#seen.keys()
    if (this.#seen.size > this.#parts.most.visits) this.#seen.delete(oldest)
    return true
  }

  /** Continues a visit from before a restart. */
  restore({ key, from, at }: Pick<Visit, 'key' | 'from' | 'at'>): void {
    this.#add({ key, from, at, open: 0, isSent: true, sent: new Map() })
  }

  /** Counts the bytes of a part. @param length may be negative, for what was not sent */
  addSent(visit: Visit, { content }: Part, length: number): void {
    if (!visit.sent.has(content) && this.#visits.has(visit.key)) this.#contents++
    visit.sent.set(content, (visit.sent.get(content) ?? 0) + length)
    this.#forgetOld()
  }

  remove(key: string): void {
    const visit = this.#visits.get(key)
    if (!visit) return
    this.#visits.delete(key)
    this.#contents -= visit.sent.size
    this.#takeFrom(visit)
  }

  living(): Visit[] {
    return [...this.#visits.values()].filter((visit) => this.#living(visit))
  }

  #add(visit: Visit): Visit {
    this.#visits.set(visit.key, visit)
    const alike = this.#from.get(visit.from) ?? new Set()
    this.#from.set(visit.from, alike.add(visit))
    const [oldest = visit] = alike
    if (alike.size > mostAlike) alike.delete(oldest)
    this.#forgetOld()
    return visit
  }

  /** From then on it is found by its cookie alone. */
  #takeFrom(visit: Visit) {
    const alike = this.#from.get(visit.from)
    alike?.delete(visit)
    if (alike?.size === 0) this.#from.delete(visit.from)
  }

  #living(visit: Visit | undefined): Visit | undefined {
    return visit && this.#parts.now() - visit.at < visitLife ? visit : undefined
  }

  #forgetOld() {
    const { most } = this.#parts
    let forgotten = 0
    for (const [key, visit] of this.#visits) {
      if (forgotten++ === mostForgotten) return
      if (this.#living(visit) && this.#visits.size <= most.visits && this.#contents <= most.contents) return
      this.remove(key)
    }
  }

  #keyOf({ hash }: Pick<StoredLink, 'hash'>, cookie: string) {
    return this.#hashed(`visit\0${hash}\0${cookie}`)
  }

  #fromOf({ hash }: Pick<StoredLink, 'hash'>, { source, agent }: LinkClient) {
    return this.#hashed(`from\0${hash}\0${source}\0${agent}`)
  }

  #hashed(text: string) {
    return createHmac('sha256', this.#parts.secret()).update(text).digest('base64url').slice(0, 22)
  }
}

/**
 * Whether a part without a cookie belongs to a visit of the same address and agent. Several people can have both, so a visit gets
 * less than twice the bytes of a content: a second whole download is one more, but ranges side by side, a download that is resumed
 * and one that is begun again after it broke off belong to the first.
 */
function isContinued(visit: Visit, { isShared }: LinkClient, { content, size, length, isOfVersion }: Part): boolean {
  const sent = visit.sent.get(content)
  if (isShared && (sent === undefined || !isOfVersion)) return false
  return sent === undefined || sent === 0 || sent + length < 2 * size
}
