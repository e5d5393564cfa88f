import { Low } from 'lowdb'
import { type DiskSystem, diskSystem } from '../disk/system.ts'
import type { Backups } from './backups.ts'
import { besideState } from './beside-state.ts'
import { writeDurably } from './durable-file.ts'
import { FirstPasswordFile } from './first-password-file.ts'
import type { Lock } from './lock.ts'
import { type OpenedState, type OpenOptions, openState, type StateLog } from './open-state.ts'
import { Records } from './records.ts'
import { Reserve } from './reserve.ts'
import type { StateData } from './state-data.ts'
import { chunksOf, textOf } from './state-text.ts'

type StateOptions = Omit<OpenOptions, 'system' | 'log'> & { system?: DiskSystem; log?: StateLog }

const silent: StateLog = { warn: () => {}, error: () => {} }

/** The users, sessions and settings: one JSON file, read once and written durably by this process only. */
export class State extends Records {
  /** The path of the state file, with links resolved. */
  readonly file: string
  /** The file for a random first password when there is no terminal to print it on. */
  readonly firstPassword: FirstPasswordFile
  readonly #system: DiskSystem
  readonly #log: StateLog
  readonly #lock: Lock

  private constructor({ file, lock, backups, data }: OpenedState, { system, log, clock }: OpenOptions) {
    const reserve = new Reserve({ file: besideState(file, 'reserve'), system })
    const write = async (next: StateData) => {
      const chunks = chunksOf(next)
      const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
      await reserve.during(bytes, () => writeDurably(system, file, chunks))
    }
    const adapter = { read: async () => this.data, write }
    const low = new Low<StateData>(adapter, data)
    const keep = async (next: StateData, isBackedUp: boolean) => {
      if (isBackedUp) await backUp(backups, this.data, log)
      low.data = next
      await low.write()
    }
    super({ data, clock, log, keep })
    this.file = file
    this.#system = system
    this.firstPassword = new FirstPasswordFile(file, system)
    this.#log = log
    this.#lock = lock
  }

  /** Opens the state file or makes it. @throws StartupError; an invalid file and the files beside it are left unchanged */
  static async open(options: StateOptions): Promise<State> {
    const opening = { system: diskSystem, log: silent, ...options }
    return new State(await openState(opening), opening)
  }

  /** The file for a random password that a person gets without a terminal to print it on. */
  passwordFileOf(id: number): FirstPasswordFile {
    return new FirstPasswordFile(this.file, this.#system, id)
  }

  /** Removes the files with a password of a person that is no longer valid. @param isFirst whether it is the first administrator's too */
  async forgetPassword(id: number, isFirst: boolean): Promise<void> {
    for (const file of [this.passwordFileOf(id), ...(isFirst ? [this.firstPassword] : [])]) {
      try {
        await file.remove()
      } catch (error) {
        this.#log.warn({ err: error }, `${file.path} could not be removed: its password is no longer valid`)
      }
    }
  }

  /** Waits for queued changes and releases the lock. */
  override async close(): Promise<void> {
    await super.close()
    this.#lock.release()
  }
}

/** A failed backup is only logged, so that the change can be written. */
async function backUp(backups: Backups, data: StateData, log: StateLog) {
  try {
    await backups.makeHourly(() => textOf(data))
  } catch (error) {
    log.warn({ err: error }, 'a backup of the state could not be made')
  }
}
