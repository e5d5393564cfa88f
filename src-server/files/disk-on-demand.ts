import { orAborted } from '../base/or-aborted.ts'
import type { Disk } from '../disk/disk.ts'

/** A disk with resources that are released by `close`. */
type ClosingDisk = Disk & { close(): void }

/**
 * Opens a disk at its first call: a request without files, such as signing out, must not fail because the user's folder is missing.
 * After an abort of the signal it starts no more calls.
 */
export class LazyDisk implements Disk {
  readonly #open: () => Promise<ClosingDisk>
  readonly #signal: AbortSignal
  #opened: Promise<ClosingDisk> | undefined

  constructor(open: () => Promise<ClosingDisk>, signal: AbortSignal) {
    this.#open = open
    this.#signal = signal
  }

  stat: Disk['stat'] = async (...asked) => (await this.#disk()).stat(...asked)
  identify: Disk['identify'] = async (...asked) => (await this.#disk()).identify(...asked)
  list: Disk['list'] = async (...asked) => (await this.#disk()).list(...asked)
  countItems: Disk['countItems'] = async (...asked) => (await this.#disk()).countItems(...asked)
  open: Disk['open'] = async (...asked) => (await this.#disk()).open(...asked)
  readWhole: Disk['readWhole'] = async (...asked) => (await this.#disk()).readWhole(...asked)
  isWithin: Disk['isWithin'] = async (...asked) => (await this.#disk()).isWithin(...asked)
  usage: Disk['usage'] = async (...asked) => (await this.#disk()).usage(...asked)
  hostPath: Disk['hostPath'] = async (...asked) => (await this.#disk()).hostPath(...asked)
  write: Disk['write'] = async (...asked) => (await this.#disk()).write(...asked)
  copyFile: Disk['copyFile'] = async (...asked) => (await this.#disk()).copyFile(...asked)
  beginWrite: Disk['beginWrite'] = async (...asked) => (await this.#disk()).beginWrite(...asked)
  resumeWrite: Disk['resumeWrite'] = async (...asked) => (await this.#disk()).resumeWrite(...asked)
  makeFolder: Disk['makeFolder'] = async (...asked) => (await this.#disk()).makeFolder(...asked)
  copyLink: Disk['copyLink'] = async (...asked) => (await this.#disk()).copyLink(...asked)
  keepOld: Disk['keepOld'] = async (...asked) => (await this.#disk()).keepOld(...asked)
  putBackOld: Disk['putBackOld'] = async (...asked) => (await this.#disk()).putBackOld(...asked)
  dropOld: Disk['dropOld'] = async (...asked) => (await this.#disk()).dropOld(...asked)
  remove: Disk['remove'] = async (...asked) => (await this.#disk()).remove(...asked)
  watch: Disk['watch'] = async (...asked) => (await this.#disk()).watch(...asked)
  move: Disk['move'] = async (...asked) => (await this.#disk()).move(...asked)

  async *listInParts(...asked: Parameters<Disk['listInParts']>): ReturnType<Disk['listInParts']> {
    yield* (await this.#disk()).listInParts(...asked)
  }

  async *find(...asked: Parameters<Disk['find']>): ReturnType<Disk['find']> {
    yield* (await this.#disk()).find(...asked)
  }

  /** Also after the abort when the disk is open: clean-up runs in a batch, and all other calls of it take the signal themselves. */
  batch: Disk['batch'] = async (work) => (await (this.#opened ?? this.#disk())).batch(work)

  async close(): Promise<void> {
    // An error of opening was reported by the call that needed the disk.
    const disk = await this.#opened?.catch(() => undefined)
    disk?.close()
  }

  async #disk(): Promise<ClosingDisk> {
    this.#signal.throwIfAborted()
    this.#opened ??= this.#open()
    return orAborted(this.#opened, this.#signal)
  }
}
