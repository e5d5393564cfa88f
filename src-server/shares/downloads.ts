import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { asFailure } from '../disk/errno.ts'
import type { CountedDownload } from '../state/download-log.ts'
import type { Log } from '../state/log.ts'
import type { State } from '../state/state.ts'
import type { StoredLink } from '../state/state-data.ts'
import { type LinkClient, type Part, type Visit, Visits } from './visits.ts'

/** Visits, and contents of them, that are remembered. */
const most = { visits: 100_000, contents: 500_000 }
/** Entries of the log after which it is written anew. */
const mostLines = 50_000

type DownloadsParts = Readonly<{
  counted: Pick<Log<CountedDownload>, 'read' | 'append' | 'replace'>
  clock: Clock
  /** The present one: makes visitors unreadable in the log. */
  secret(): string
  /** Counts of links that are removed are forgotten. */
  state: Pick<State, 'feed' | 'link'>
  /** Called when a count that limits nothing could not be written. */
  report(error: unknown): void
}>

/** A download that is counted, unless nothing of it is sent. */
export type Reservation = Readonly<{
  /** Binds further requests to the visit; undefined when they are found by their address alone. */
  cookie?: string | undefined
  /** @param sent how much of the part: 0 for nothing, 1 for all @returns whether it is the first of a visit that sent something */
  settle(sent: number): Promise<boolean>
}>

type Reserved = Readonly<{ link: StoredLink; visit: Visit; part: Part }>

/** Counts the downloads of links: one of a visitor in an hour. */
export class Downloads {
  readonly #parts: DownloadsParts
  readonly #counts = new Map<string, number>()
  readonly #visits: Visits
  #lines = 0

  private constructor(parts: DownloadsParts) {
    this.#parts = parts
    const now = () => Math.floor(parts.clock.now() / 1000)
    this.#visits = new Visits({ secret: parts.secret, now, most })
    for (const line of parts.counted.read()) this.#restore(line)
    parts.state.feed.listen(['link'], (news) => {
      for (const one of news) if (one.kind === 'link' && one.after === undefined) this.#counts.delete(one.id)
    })
  }

  /** Reads the log, without the counts of links that were removed since they were written. */
  static async open(parts: DownloadsParts): Promise<Downloads> {
    const downloads = new Downloads(parts)
    // One by one: a list of all links would be sorted, of which there may be a hundred thousand.
    for (const hash of downloads.#counts.keys()) if (!(await parts.state.link(hash))) downloads.#counts.delete(hash)
    return downloads
  }

  countOf({ hash }: Pick<StoredLink, 'hash'>): number {
    return this.#counts.get(hash) ?? 0
  }

  /** Whether a link still gives downloads, or this visitor has one that may be continued. */
  isOpenTo(link: StoredLink, visitor: LinkClient): boolean {
    return this.#hasRoom(link) || this.#visits.find(link, visitor) !== undefined
  }

  /** Whether a visitor who has downloaded nothing comes for the first time within an hour. */
  isFirstSight(link: StoredLink, visitor: LinkClient): boolean {
    return this.#visits.isFirstSight(link, visitor)
  }

  /**
   * Counts a download before its first byte, durably where the number of downloads is limited.
   * @throws Failure('notFound') when the link has given all of its downloads
   */
  async reserve(link: StoredLink, visitor: LinkClient, part: Part): Promise<Reservation> {
    const known = this.#visits.find(link, visitor, part)
    if (!known && !this.#hasRoom(link)) throw new Failure('notFound')
    const visit = known ?? this.#visits.begin(link, visitor)
    visit.open++
    this.#visits.addSent(visit, part, part.length)
    const { cookie, key, from, at } = visit
    if (!known) {
      this.#count(link, 1)
      visit.counted = this.#write(link, { hash: link.hash, add: 1, at, by: key, from })
    }
    try {
      // Also for further requests of the visit: the first of them may still be counting it.
      await visit.counted
    } catch (error) {
      await this.#settle({ link, visit, part }, 0, false)
      throw error
    }
    return { cookie, settle: (sent) => this.#settle({ link, visit, part }, sent) }
  }

  /** @param isWritten whether the log counts the visit */
  async #settle({ link, visit, part }: Reserved, sent: number, isWritten = true): Promise<boolean> {
    const isFirst = sent > 0 && !visit.isSent
    visit.open--
    visit.isSent ||= sent > 0
    this.#visits.addSent(visit, part, -Math.floor(part.length * (1 - sent)))
    if (visit.isSent || visit.open > 0) return isFirst
    this.#visits.remove(visit.key)
    // That of a link that was removed meanwhile was forgotten.
    if (!this.#counts.has(link.hash)) return false
    this.#count(link, -1)
    if (isWritten)
      await this.#write(link, { hash: link.hash, add: -1, by: visit.key }).catch((error: unknown) => this.#parts.report(error))
    return false
  }

  #count({ hash }: StoredLink, add: number) {
    const count = (this.#counts.get(hash) ?? 0) + add
    this.#counts.set(hash, count)
    this.#parts.state.feed.tell([{ kind: 'downloads', id: hash, count }])
  }

  async #write({ mostDownloads }: StoredLink, line: CountedDownload) {
    const { counted, report } = this.#parts
    const isLimited = mostDownloads !== undefined
    const written = asFailure(counted.append(line, isLimited))
    if (++this.#lines > mostLines) this.#compact()
    if (isLimited) await written
    else written.catch(report)
  }

  #compact() {
    this.#lines = 0
    const sums = [...this.#counts].map(([hash, add]) => ({ hash, add }))
    const visits = this.#visits.living().map(({ key: by, from, at }) => ({ hash: '', add: 0, at, by, from }))
    this.#parts.counted.replace([...sums, ...visits]).catch(this.#parts.report)
  }

  #restore({ hash, add, at, by, from = '' }: CountedDownload) {
    this.#lines++
    if (hash !== '') this.#counts.set(hash, (this.#counts.get(hash) ?? 0) + add)
    if (by !== undefined && at !== undefined) this.#visits.restore({ key: by, from, at })
    else if (by !== undefined) this.#visits.remove(by)
  }

  #hasRoom(link: StoredLink) {
    return link.mostDownloads === undefined || this.countOf(link) < link.mostDownloads
  }
}
