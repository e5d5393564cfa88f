// Which folders hold temporary files, beside the state: after a kill they are found without a walk of the tree.
import type { DiskSystem } from '../disk/system.ts'
import { besideState } from './beside-state.ts'
import { Log } from './log.ts'

/** A log with one folder of the host in each entry. An entry is durable before a file is created in its folder. */
export class TemporaryJournal {
  readonly #log: Log<string>
  /** Of earlier runs. */
  readonly #old: Set<string>
  /** Folders of this run, each with the promise of its entry, and when a write was last begun there. */
  readonly #noted = new Map<string, { written: Promise<void>; at: number }>()

  /** @param stateFile beside which it is */
  constructor(stateFile: string, system?: DiskSystem) {
    const isEntry = (value: unknown) => typeof value === 'string'
    this.#log = new Log(besideState(stateFile, 'temporary-folders'), { isEntry, family: stateFile, system })
    this.#old = new Set(this.#log.read())
  }

  /** Paths of the host. */
  folders(): string[] {
    return [...new Set([...this.#old, ...this.#noted.keys()])]
  }

  /** Resolves when the folder's entry is durable. @throws the errno of what failed */
  note(folder: string): Promise<void> {
    const known = this.#noted.get(folder)
    if (known) {
      known.at = Date.now()
      return known.written
    }
    const written = this.#log.append(folder, true)
    this.#noted.set(folder, { written, at: Date.now() })
    written.catch(() => this.#noted.delete(folder))
    return written
  }

  /**
   * A folder was moved, with those that are in it. They share one write.
   * @returns when they are found at their new paths @throws the errno of what failed
   */
  async moved(from: string, to: string): Promise<void> {
    const inside = this.folders().filter((folder) => folder === from || folder.startsWith(`${from}/`))
    const written = inside.map((folder) => {
      // What gets the old path from now on is another folder. Else each move would add as many again.
      this.#old.delete(folder)
      this.#noted.delete(folder)
      return this.note(to + folder.slice(from.length))
    })
    await Promise.all(written)
  }

  /**
   * Removes folders in which no temporary file is left: those of earlier runs, and those of this run in which no write was begun for
   * long, because a write creates its file some time after it has noted the folder.
   * @param unusedSince milliseconds since the epoch
   */
  async forget(folders: readonly string[], unusedSince: number): Promise<void> {
    const dropped = folders.filter((folder) => {
      const isOld = this.#old.delete(folder)
      const noted = this.#noted.get(folder)
      return noted && noted.at < unusedSince ? this.#noted.delete(folder) : isOld
    })
    if (dropped.length > 0) await this.#log.replace(this.folders())
  }

  /** @returns when all entries are written */
  close(): Promise<void> {
    return this.#log.close()
  }
}
