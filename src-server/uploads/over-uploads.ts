// Uploads that are over stay known for a time. What goes first when there are too many of them.
import type { UploadRecord } from '../state/upload-store.ts'
import type { Upload } from './upload.ts'

/** How many are known. */
export type KnownMost = Readonly<{
  /** Of one key, with their names: they are known for a day, so that a lost answer makes no second file. */
  finished: number
  /** The same of all keys together. */
  finishedInAll: number
  /** Of one key, of those whose bytes are missing. */
  gone: number
  /** Of one key, of those that have ended in the trash, and wait for their folder. */
  ended: number
}>

type OverUploadsParts = Readonly<{
  most: KnownMost
  keyOf(record: UploadRecord): string
  holderOf(record: UploadRecord): string
  ofKey(key: string): Iterable<Upload>
  report(error: unknown): void
}>

/** Those that end because of one change: a start may find many more than there may be. */
const endsAtOnce = 8

export class OverUploads {
  readonly #parts: OverUploadsParts
  /** Those with their names, by holder, the oldest first. */
  readonly #finished = new Map<string, Set<Upload>>()
  #count = 0

  constructor(parts: OverUploadsParts) {
    this.#parts = parts
  }

  /** @param upload one that has its name */
  add(upload: Upload): void {
    const own = this.#ofHolder(upload)
    if (own.has(upload)) return
    own.add(upload)
    this.#count++
  }

  delete(upload: Upload): void {
    const holder = this.#parts.holderOf(upload.record)
    const own = this.#finished.get(holder)
    if (own?.delete(upload)) this.#count--
    if (own?.size === 0) this.#finished.delete(holder)
  }

  /** To be called when one may be over that was not. */
  changed(upload: Upload): void {
    const { most, keyOf } = this.#parts
    const key = keyOf(upload.record)
    if (upload.isFinished) {
      this.add(upload)
      this.#endOldest(key, (one) => one.isFinished, most.finished)
      for (let count = 0; this.#count > most.finishedInAll && count < endsAtOnce; count++) this.#endOneInAll()
    } else if (upload.isEnded) this.#endOldest(key, (one) => one.isEnded, most.ended)
    else if (upload.isGone) this.#endOldest(key, (one) => one.isGone && !one.isEnded, most.gone)
  }

  #ofHolder({ record }: Upload): Set<Upload> {
    const holder = this.#parts.holderOf(record)
    const own = this.#finished.get(holder) ?? new Set<Upload>()
    this.#finished.set(holder, own)
    return own
  }

  #endOldest(key: string, isOfKind: (upload: Upload) => boolean, most: number) {
    const own = [...this.#parts.ofKey(key)].filter(isOfKind)
    if (own.length <= most) return
    // Several may have ended at once.
    const oldest = own.sort((one, other) => endOf(one.record) - endOf(other.record)).slice(0, own.length - most)
    for (const upload of oldest) if (!upload.isInUse) this.#end(upload)
  }

  /** Who sends very many files must not take from others what is known of theirs. */
  #endOneInAll() {
    let largest = new Set<Upload>()
    for (const own of this.#finished.values()) if (own.size > largest.size) largest = own
    const oldest = largest.values().find((upload) => !upload.isInUse)
    if (!oldest) return
    this.delete(oldest)
    this.#end(oldest)
  }

  #end(upload: Upload) {
    upload.forget().catch(this.#parts.report)
  }
}

/** Milliseconds since the epoch. */
export const endOf = ({ finishedAt, changedAt }: UploadRecord): number => finishedAt ?? changedAt
