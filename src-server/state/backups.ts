import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { DiskSystem } from '../disk/system.ts'
import { writeDurably } from './durable-file.ts'
import type { StateReading } from './read-state.ts'

const mostKept = 10

/** Milliseconds between two backups that changes ask for. */
const interval = 3_600_000

type BackupParts = { file: string; clock: Clock; system: DiskSystem; read: (file: string) => StateReading }

/** Backups of the state file, named `<state>.backup-<time in UTC>`, so that their names sort by time. */
export class Backups {
  readonly #file: string
  readonly #clock: Clock
  readonly #system: DiskSystem
  readonly #read: (file: string) => StateReading
  #lastAt = Number.NEGATIVE_INFINITY

  constructor({ file, clock, system, read }: BackupParts) {
    this.#read = read
    this.#file = file
    this.#clock = clock
    this.#system = system
  }

  /** Paths, newest first. */
  list(): string[] {
    const prefix = `${basename(this.#file)}.backup-`
    const isBackup = (name: string) => name.startsWith(prefix) && timeOf(name.slice(prefix.length)) !== undefined
    const folder = dirname(this.#file)
    const names = readdirSync(folder).filter(isBackup)
    return names
      .sort()
      .reverse()
      .map((name) => join(folder, name))
  }

  /** The newest backup that is a valid state file. */
  newestGood(): string | undefined {
    return this.list().find((file) => this.#read(file).kind === 'good')
  }

  /** Makes a backup, at the start and before a migration. Makes none when only the sessions differ from the newest one. */
  async make(text: string): Promise<void> {
    const [newest] = this.list()
    if (newest === undefined || !this.#isSameButSessions(newest, text)) await this.#write(text, newest)
    this.#lastAt = this.#clock.now()
  }

  /** Called for a new state, which needs no backup: the next one is due in an hour. */
  skip() {
    this.#lastAt = this.#clock.now()
  }

  /** Called before a change: makes a backup when the last one is an hour old. */
  async makeHourly(text: () => string): Promise<void> {
    // Absolute: after the clock was set back, backups must still be made.
    const since = Math.abs(this.#clock.now() - this.#lastAt)
    if (since >= interval) await this.make(text())
  }

  /** Otherwise a server that restarts again and again would replace all older backups. */
  #isSameButSessions(backup: string, text: string): boolean {
    const reading = this.#read(backup)
    return reading.kind === 'good' && withoutSessions(reading.text) === withoutSessions(text)
  }

  async #write(text: string, newest: string | undefined) {
    await writeDurably(this.#system, `${this.#file}.backup-${this.#stamp(newest)}`, text, this.#file)
    for (const old of this.list().slice(mostKept)) await this.#system.unlink(old)
  }

  /** Later than that of all others, even if the clock was set back: the oldest by name is deleted first. */
  #stamp(newest: string | undefined): string {
    const last = newest === undefined ? 0 : (timeOf(newest.slice(newest.lastIndexOf('.backup-') + '.backup-'.length)) ?? 0)
    return new Date(Math.max(this.#clock.now(), last + 1)).toISOString().replaceAll(/[-:]/g, '')
  }
}

/** Milliseconds since the epoch of a time in a name: `20261121T153000.123Z`. */
function timeOf(stamp: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z$/.exec(stamp) ?? []
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}

function withoutSessions(text: string): string {
  return JSON.stringify({ ...JSON.parse(text), sessions: [] })
}
