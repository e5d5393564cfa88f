// What the server knows of its clock from before, in a file beside the state: see `CountedClock`.
import { readFileSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import { type ClockRun, CountedClock } from '../base/counted-clock.ts'
import { parsedJson } from '../base/json.ts'
import { type DiskSystem, diskSystem } from '../disk/system.ts'
import { besideState } from './beside-state.ts'
import { writeDurably } from './durable-file.ts'

/** Milliseconds after which it is written again, so that a disk that has nothing else to do may rest: what a kill leaves uncounted is a short gap. */
const between = 12 * 3_600_000

type ClockFileParts = Readonly<{ stateFile: string; clock: Clock; report(error: unknown): void; system?: DiskSystem }>

export class ClockFile {
  readonly clock: CountedClock
  readonly #parts: ClockFileParts
  readonly #file: string
  #writing = Promise.resolve()
  #cancel: (() => void) | undefined

  /** What cannot be read counts as nothing: then all is kept for its whole term from now on. */
  constructor(parts: ClockFileParts) {
    this.#parts = parts
    this.#file = besideState(parts.stateFile, 'clock')
    this.clock = new CountedClock(parts.clock, this.#read())
  }

  /** Keeps what is known, now and twice a day. */
  start(): void {
    this.#write()
    this.#cancel = this.#parts.clock.after(between, () => this.start())
  }

  async close(): Promise<void> {
    this.#cancel?.()
    this.#write()
    await this.#writing
  }

  #write() {
    const { system = diskSystem, stateFile, report } = this.#parts
    const text = JSON.stringify(this.clock.runs().map(({ start, length, gap }) => [start, length, gap]))
    this.#writing = this.#writing.then(() => writeDurably(system, this.#file, text, stateFile)).catch(report)
  }

  #read(): ClockRun[] {
    try {
      const runs = parsedJson(readFileSync(this.#file, 'utf8'))
      return Array.isArray(runs) ? runs.filter(isRun).map(([start, length, gap]) => ({ start, length, gap })) : []
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#parts.report(error)
      return []
    }
  }
}

function isRun(value: unknown): value is [start: number, length: number, gap: number] {
  const isWhole = Array.isArray(value) && value.length === 3 && value.every(Number.isSafeInteger)
  return isWhole && value[1] >= 0 && value[2] >= 0
}
