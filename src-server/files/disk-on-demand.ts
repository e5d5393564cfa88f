import type { Disk } from '../disk/disk.ts'

/** A disk that holds something until it is closed. */
type ClosingDisk = Disk & { close(): void }

/**
 * Opens a disk when it is first asked for something: a call that touches no file, such as signing out, must not fail
 * because a person's folder is missing. Once the signal is aborted it begins nothing more.
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
  list: Disk['list'] = async (...asked) => (await this.#disk()).list(...asked)
  open: Disk['open'] = async (...asked) => (await this.#disk()).open(...asked)
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
  move: Disk['move'] = async (...asked) => (await this.#disk()).move(...asked)

  async *watch(...asked: Parameters<Disk['watch']>): ReturnType<Disk['watch']> {
    yield* (await this.#disk()).watch(...asked)
  }

  /** Also after the abort where a disk is open: clean-up is done in one, and everything else there takes the signal itself. */
  batch: Disk['batch'] = async (work) => (await (this.#opened ?? this.#disk())).batch(work)

  async close(): Promise<void> {
    // One that could not be opened has said so to whoever asked.
    const disk = await this.#opened?.catch(() => undefined)
    disk?.close()
  }

  async #disk(): Promise<ClosingDisk> {
    this.#signal.throwIfAborted()
    this.#opened ??= this.#open()
    return this.#opened
  }
}
