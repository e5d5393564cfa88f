import { lstatSync, readFileSync } from 'node:fs'
import type { DiskSystem } from '../disk/system.ts'
import { writeDurably } from './durable-file.ts'

/** Writes files beside a state, and replaces none that is there. */
export class BesideFiles {
  readonly #database: string
  readonly #how: Readonly<{ now: number; system: DiskSystem }>

  constructor(database: string, how: Readonly<{ now: number; system: DiskSystem }>) {
    this.#database = database
    this.#how = how
  }

  /** Of the import, as a part of a name. */
  get time(): string {
    return new Date(this.#how.now * 1000).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  }

  /** @returns the path of a file with the usual name; undefined where there is none */
  existing(name: string, extension: string): string | undefined {
    const file = `${this.#database}.${name}${extension}`
    return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined
  }

  /** @param extension with its dot @returns the path: with the time in its name when the usual one is taken by another text */
  async add(name: string, extension: string, text: string): Promise<string> {
    const stem = `${this.#database}.${name}`
    for (let number = 1; ; number++) {
      const suffix = ['', `-${this.time}`][number - 1] ?? `-${this.time}-${number - 1}`
      const file = `${stem}${suffix}${extension}`
      const stats = lstatSync(file, { throwIfNoEntry: false })
      if (stats === undefined) {
        await writeDurably(this.#how.system, file, text, this.#database)
        return file
      }
      // One that others may read is not one for secrets.
      if (stats.isFile() && (stats.mode & 0o077) === 0 && textIn(file) === text) return file
    }
  }
}

/** @returns undefined for what cannot be read */
function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
