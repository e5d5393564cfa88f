// Which folders hold temporary files, beside the state: after a kill they are found without a walk of the tree.
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { type DiskSystem, diskSystem, syncFolder, writeAll } from './system.ts'

/**
 * A file with one folder of the host on each line, as JSON, because a name may contain a line break. A line is durable before a
 * file is created in its folder.
 */
export class TemporaryJournal {
  readonly #file: string
  readonly #system: DiskSystem
  /** Of earlier runs. */
  readonly #old: Set<string>
  /** Folders of this run, each with the promise of its line, and when a write was last begun there. */
  readonly #noted = new Map<string, { written: Promise<void>; at: number }>()
  #last: Promise<void> = Promise.resolve()

  /** @param file of the journal; none is there before the first write */
  constructor(file: string, system: DiskSystem = diskSystem) {
    this.#file = file
    this.#system = system
    this.#old = new Set(foldersIn(file))
  }

  /** Paths of the host. */
  folders(): string[] {
    return [...new Set([...this.#old, ...this.#noted.keys()])]
  }

  /** Resolves when the folder's line is durable. @throws the errno of what failed */
  note(folder: string): Promise<void> {
    const known = this.#noted.get(folder)
    if (known) {
      known.at = Date.now()
      return known.written
    }
    const written = this.#inTurn(() => this.#write([folder], fs.constants.O_APPEND))
    this.#noted.set(folder, { written, at: Date.now() })
    written.catch(() => this.#noted.delete(folder))
    return written
  }

  /**
   * Removes folders in which no temporary file is left: those of earlier runs, and those of this run in which no write was begun for
   * long, because a write creates its file some time after it has noted the folder.
   * @param unusedSince milliseconds since the epoch
   */
  forget(folders: readonly string[], unusedSince: number): Promise<void> {
    const dropped = folders.filter((folder) => {
      const isOld = this.#old.delete(folder)
      const noted = this.#noted.get(folder)
      return noted && noted.at < unusedSince ? this.#noted.delete(folder) : isOld
    })
    if (dropped.length === 0) return Promise.resolve()
    return this.#inTurn(() => this.#replace())
  }

  /** Runs changes one after the other, so that a new journal contains all earlier lines. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #replace() {
    const { O_TRUNC } = fs.constants
    await this.#write(this.folders(), O_TRUNC, `${this.#file}.tmp`)
    await this.#system.rename(`${this.#file}.tmp`, this.#file)
    await syncFolder(this.#system, dirname(this.#file))
  }

  async #write(folders: readonly string[], flag: number, file = this.#file) {
    const isNew = !fs.existsSync(file)
    const fd = await this.#system.open(file, fs.constants.O_WRONLY | fs.constants.O_CREAT | flag, 0o600)
    try {
      await writeAll(this.#system, fd, Buffer.from(folders.map((folder) => `${JSON.stringify(folder)}\n`).join('')))
      await this.#system.sync(fd)
    } finally {
      await this.#system.close(fd)
    }
    if (isNew) await syncFolder(this.#system, dirname(file))
  }
}

/** An incomplete line after a power cut is skipped: no file was created in its folder yet. */
function foldersIn(file: string): string[] {
  if (!fs.existsSync(file)) return []
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const folder: unknown = JSON.parse(line)
        return typeof folder === 'string' ? [folder] : []
      } catch {
        return []
      }
    })
}
