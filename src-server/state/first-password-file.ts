import { existsSync } from 'node:fs'
import type { DiskSystem } from '../disk/system.ts'
import { writeDurably } from './durable-file.ts'

/** `<state>.admin-password`, or `<state>.password-<id>` of a person whose password was reset: a random password until it is changed. */
export class FirstPasswordFile {
  readonly path: string
  readonly #stateFile: string
  readonly #system: DiskSystem

  /** @param id of the person; without one, the first administrator */
  constructor(stateFile: string, system: DiskSystem, id?: number) {
    this.path = `${stateFile}.${id === undefined ? 'admin-password' : `password-${id}`}`
    this.#stateFile = stateFile
    this.#system = system
  }

  /** Writes the file. */
  async keep(password: string): Promise<void> {
    await writeDurably(this.#system, this.path, `${password}\n`, this.#stateFile)
  }

  /** Removes the file if it exists. */
  async remove(): Promise<void> {
    if (existsSync(this.path)) await this.#system.unlink(this.path)
  }
}
