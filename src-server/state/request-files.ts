// What is known of request links as files beside the state: `<state>.requests/` has a log for each, `<hash>.jsonl`.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkFor } from '../base/checks.ts'
import type { Clock } from '../base/clock.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import { type DiskSystem, diskSystem, syncFolder } from '../disk/system.ts'
import { besideState } from './beside-state.ts'
import { Log } from './log.ts'
import { entriesAt, type LinePlace, placedEntries } from './placed-lines.ts'
import { type PlacedLine, RequestLine, type RequestStore } from './request-store.ts'
import { makeFolderBeside, namesIn } from './stored-files.ts'

type RequestFilesOptions = Readonly<{ stateFile: string; clock: Clock; system?: DiskSystem }>

const ending = '.jsonl'
const isLine = checkFor(RequestLine)

/** Milliseconds after its last line for which a log stays open: there may be thousands. */
const openFor = 60_000

type OpenLog = Readonly<{ log: Log<RequestLine> }> & { cancel(): void }

export class RequestFiles implements RequestStore {
  readonly #folder: string
  readonly #clock: Clock
  readonly #system: DiskSystem
  readonly #open = new Map<string, OpenLog>()
  /** By hash, and '' for the folder. */
  readonly #queue = new SerialQueue()
  #isMade = false

  constructor({ stateFile, clock, system = diskSystem }: RequestFilesOptions) {
    this.#folder = besideState(stateFile, 'requests')
    this.#clock = clock
    this.#system = system
  }

  async hashes(): Promise<string[]> {
    return (await namesIn(this.#folder)).filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
  }

  read(hash: string): AsyncIterable<readonly PlacedLine[]> {
    return placedEntries(this.#fileOf(hash), isLine)
  }

  readAt(hash: string, places: readonly LinePlace[]): Promise<RequestLine[]> {
    return entriesAt(this.#fileOf(hash), places, isLine)
  }

  async append(hash: string, line: RequestLine): Promise<LinePlace> {
    if (!this.#isMade) await this.#queue.run(() => this.#makeFolder())
    return this.#logOf(hash).appendPlaced(line, true)
  }

  async remove(hash: string): Promise<void> {
    await this.#close(hash)
    await this.#unlink(hash + ending)
  }

  async removeUnknown(isKnown: (hash: string) => boolean, before: number): Promise<void> {
    for (const hash of await this.hashes()) {
      if (isKnown(hash)) continue
      const { mtimeMs } = await lstat(join(this.#folder, hash + ending))
      if (mtimeMs < before) await this.#unlink(hash + ending)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((hash) => this.#close(hash)))
  }

  #fileOf(hash: string): string {
    if (!/^[\w=-]{1,128}$/.test(hash)) throw new TypeError(`${hash} is no name of a file`)
    return join(this.#folder, hash + ending)
  }

  #logOf(hash: string): Log<RequestLine> {
    const file = this.#fileOf(hash)
    const known = this.#open.get(hash)
    known?.cancel()
    const log = known?.log ?? new Log(file, { isEntry: isLine, system: this.#system })
    // What is still to be written is written before it is closed, and opens it again afterwards.
    const cancel = this.#clock.after(openFor, () => void this.#close(hash).catch(() => {}))
    this.#open.set(hash, { log, cancel })
    return log
  }

  async #close(hash: string) {
    const open = this.#open.get(hash)
    this.#open.delete(hash)
    open?.cancel()
    await open?.log.close()
  }

  async #makeFolder() {
    if (this.#isMade) return
    await makeFolderBeside(this.#system, this.#folder)
    this.#isMade = true
  }

  async #unlink(name: string) {
    try {
      await this.#system.unlink(join(this.#folder, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    if (process.platform !== 'win32') await syncFolder(this.#system, this.#folder)
  }
}
