import { existsSync } from 'node:fs'
import type { DiskSystem } from '../disk/system.ts'
import { writeDurably } from './durable-file.ts'

/** `<state>.admin-password`: holds the first administrator's random password until it is changed. */
export class FirstPasswordFile {
  readonly path: string
  readonly #stateFile: string
  readonly #system: DiskSystem

  constructor(stateFile: string, system: DiskSystem) {
    this.path = `${stateFile}.admin-password`
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
