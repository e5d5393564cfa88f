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

/** Copies of the state file as it was: `<state>.backup-<time in UTC>`, so that their names sort by time. */
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

  /** The newest one that could take the place of the state file. */
  newestGood(): string | undefined {
    return this.list().find((file) => this.#read(file).kind === 'good')
  }

  /** At the start and before a migration. Makes none when the newest says the same, sessions apart. */
  async make(text: string | Buffer): Promise<void> {
    const [newest] = this.list()
    if (newest === undefined || !this.#isSameButSessions(newest, text)) await this.#write(text, newest)
    this.#lastAt = this.#clock.now()
  }

  /** A state that was made just now holds nothing worth a backup. */
  skip() {
    this.#lastAt = this.#clock.now()
  }

  /** Before a change: makes one when the last is an hour old. */
  async makeHourly(text: Buffer): Promise<void> {
    // A clock that was put back must not keep backups from being made.
    const since = Math.abs(this.#clock.now() - this.#lastAt)
    if (since >= interval) await this.make(text)
  }

  /** A server that is restarted over and over must not push the older backups out. */
  #isSameButSessions(backup: string, text: string | Buffer): boolean {
    const reading = this.#read(backup)
    return reading.kind === 'good' && withoutSessions(reading.text) === withoutSessions(text)
  }

  async #write(text: string | Buffer, newest: string | undefined) {
    await writeDurably(this.#system, `${this.#file}.backup-${this.#stamp(newest)}`, text, this.#file)
    for (const old of this.list().slice(mostKept)) await this.#system.unlink(old)
  }

  /** Later than every other, also when the clock was put back: the oldest by name is the one that goes. */
  #stamp(newest: string | undefined): string {
    const last = newest === undefined ? 0 : (timeOf(newest.slice(newest.lastIndexOf('.backup-') + '.backup-'.length)) ?? 0)
    return new Date(Math.max(this.#clock.now(), last + 1)).toISOString().replaceAll(/[-:]/g, '')
  }
}

/** `20261121T153000.123Z`, as it stands in a name, in milliseconds since the epoch. */
function timeOf(stamp: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z$/.exec(stamp) ?? []
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}

function withoutSessions(text: string | Buffer): string {
  return JSON.stringify({ ...JSON.parse(String(text)), sessions: [] })
}
