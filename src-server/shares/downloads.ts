import { createHmac } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { CountedDownload, DownloadJournal } from '../state/download-journal.ts'
import type { StoredLink } from '../state/state-data.ts'

/** Seconds in which further downloads of a visitor belong to the one that was counted: parts of a file, files of a folder. */
const visit = 3600
/** Visits that are remembered; further ones replace the oldest, which are then counted again. */
const mostVisits = 100_000
/** Lines of the journal after which it is written anew. */
const mostLines = 50_000

type DownloadsParts = Readonly<{
  journal: Pick<DownloadJournal, 'read' | 'add' | 'replace'>
  clock: Clock
  /** Makes visitors unreadable in the journal. */
  secret: string
  /** Hashes of links that no longer exist are forgotten. */
  isKnown(hash: string): boolean
  /** Called when a count that limits nothing could not be written. */
  report(error: unknown): void
}>

/** `open`: requests whose answer has not begun. `isSent`: one of them has sent something, so that the download counts. */
type Visit = { at: number; open: number; isSent: boolean }

/** A download that is counted, unless nothing of it is sent. */
export type Reservation = Readonly<{
  /** @returns whether it is the first of a visit that sent something */
  settle(isSent: boolean): Promise<boolean>
}>

/** Counts the downloads of links: one of a visitor in an hour. */
export class Downloads {
  readonly #parts: DownloadsParts
  readonly #counts = new Map<string, number>()
  readonly #visits = new Map<string, Visit>()
  #lines = 0

  constructor(parts: DownloadsParts) {
    this.#parts = parts
    for (const line of parts.journal.read()) this.#restore(line)
  }

  countOf({ hash }: Pick<StoredLink, 'hash'>): number {
    return this.#counts.get(hash) ?? 0
  }

  /** Whether a link still gives downloads, or this visitor has one that may be continued. @param source the visitor's address */
  isOpenTo(link: StoredLink, source: string): boolean {
    return this.#hasRoom(link) || this.#visitOf(this.#keyOf(link, source)) !== undefined
  }

  /**
   * Counts a download before its first byte, durably where the number of downloads is limited.
   * @throws Failure('notFound') when the link has given all of its downloads
   */
  async reserve(link: StoredLink, source: string): Promise<Reservation> {
    const key = this.#keyOf(link, source)
    const known = this.#visitOf(key)
    if (!known && !this.#hasRoom(link)) throw new Failure('notFound')
    const at = this.#now()
    const visit = known ?? { at, open: 0, isSent: false }
    visit.open++
    const settle = (isSent: boolean) => this.#settle({ link, key, visit }, isSent)
    if (known) return { settle }
    this.#visits.set(key, visit)
    this.#counts.set(link.hash, this.countOf(link) + 1)
    this.#forgetOldVisits()
    try {
      await this.#write(link, { hash: link.hash, add: 1, at, by: key })
    } catch (error) {
      await settle(false)
      throw error
    }
    return { settle }
  }

  async #settle({ link, key, visit }: { link: StoredLink; key: string; visit: Visit }, isSent: boolean): Promise<boolean> {
    const isFirst = isSent && !visit.isSent
    visit.open--
    visit.isSent ||= isSent
    if (visit.isSent || visit.open > 0) return isFirst
    if (this.#visits.get(key) === visit) this.#visits.delete(key)
    this.#counts.set(link.hash, this.countOf(link) - 1)
    await this.#write(link, { hash: link.hash, add: -1, by: key }).catch((error: unknown) => this.#parts.report(error))
    return false
  }

  async #write({ mostDownloads }: StoredLink, line: CountedDownload) {
    const { journal, report } = this.#parts
    const isLimited = mostDownloads !== undefined
    const written = journal.add(line, isLimited)
    if (++this.#lines > mostLines) this.#compact()
    if (isLimited) await written
    else written.catch(report)
  }

  #compact() {
    this.#lines = 0
    const sums = [...this.#counts].filter(([hash]) => this.#parts.isKnown(hash)).map(([hash, add]) => ({ hash, add }))
    const now = this.#now()
    const visits = [...this.#visits]
      .filter(([, { at }]) => now - at < visit)
      .map(([by, { at }]) => ({ hash: '', add: 0, at, by }))
    this.#parts.journal.replace([...sums, ...visits]).catch(this.#parts.report)
  }

  #restore({ hash, add, at, by }: CountedDownload) {
    this.#lines++
    if (hash !== '') this.#counts.set(hash, (this.#counts.get(hash) ?? 0) + add)
    if (by !== undefined && at !== undefined) this.#visits.set(by, { at, open: 0, isSent: true })
    else if (by !== undefined) this.#visits.delete(by)
  }

  #hasRoom(link: StoredLink) {
    return link.mostDownloads === undefined || this.countOf(link) < link.mostDownloads
  }

  #visitOf(key: string): Visit | undefined {
    const found = this.#visits.get(key)
    return found && this.#now() - found.at < visit ? found : undefined
  }

  #forgetOldVisits() {
    const now = this.#now()
    for (const [key, { at }] of this.#visits) {
      if (now - at < visit && this.#visits.size <= mostVisits) return
      this.#visits.delete(key)
    }
  }

  #keyOf({ hash }: StoredLink, source: string) {
    return createHmac('sha256', this.#parts.secret).update(`visit\0${hash}\0${source}`).digest('base64url').slice(0, 22)
  }

  #now() {
    return Math.floor(this.#parts.clock.now() / 1000)
  }
}
