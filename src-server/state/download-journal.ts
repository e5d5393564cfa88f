// How often public links were used, beside the state: a count must not rewrite it.
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { type DiskSystem, diskSystem, syncFolder, writeAll } from '../disk/system.ts'
import { writeDurably } from './durable-file.ts'

/** A change of the count of a link. */
export type CountedDownload = Readonly<{
  hash: string
  /** What is added: 1 for a download, -1 for one that was not sent, or a whole sum. */
  add: number
  /** Seconds since the epoch, and whose download it was, by cookie and by address: for an hour it is not counted again. */
  at?: number
  by?: string
  from?: string
}>

/** A file with one change on each line, as JSON. */
export class DownloadJournal {
  readonly #file: string
  readonly #system: DiskSystem
  #isNameSynced = false
  #last: Promise<void> = Promise.resolve()

  /** @param file of the journal; none is there before the first download */
  constructor(file: string, system: DiskSystem = diskSystem) {
    this.#file = file
    this.#system = system
  }

  /** What was written so far. A line that a power failure left unfinished is left out. */
  read(): CountedDownload[] {
    try {
      return fs.readFileSync(this.#file, 'utf8').split('\n').flatMap(read)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  }

  /** @param isDurable whether it survives a power failure as soon as this resolves @throws the errno of what failed */
  add(download: CountedDownload, isDurable: boolean): Promise<void> {
    return this.#inTurn(async () => {
      const { O_WRONLY, O_CREAT, O_APPEND } = fs.constants
      const fd = await this.#system.open(this.#file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      try {
        // A line of its own, also after one that was left unfinished.
        await writeAll(this.#system, fd, Buffer.from(`\n${JSON.stringify(download)}`))
        if (isDurable) await this.#system.sync(fd)
      } finally {
        await this.#system.close(fd)
      }
      if (isDurable) await this.#syncName()
    })
  }

  /** Replaces all lines. */
  replace(downloads: readonly CountedDownload[]): Promise<void> {
    const text = downloads.map((download) => JSON.stringify(download)).join('\n')
    return this.#inTurn(() => writeDurably(this.#system, this.#file, text))
  }

  /** Waits for what is being written. */
  close(): Promise<void> {
    return this.#last
  }

  /** The name of a file that was made lasts only once its folder is synced. Windows cannot sync a folder. */
  async #syncName() {
    if (this.#isNameSynced || process.platform === 'win32') return
    await syncFolder(this.#system, dirname(this.#file))
    this.#isNameSynced = true
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}

function read(line: string): CountedDownload[] {
  try {
    const value = JSON.parse(line) as CountedDownload
    return typeof value?.hash === 'string' && Number.isInteger(value.add) ? [value] : []
  } catch {
    return []
  }
}
