// Jobs as files beside the state: `<state>.jobs/` has what was asked for and a log of each, and `<state>.job-heads` the heads of all.
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type DiskSystem, diskSystem } from '../disk/system.ts'
import { besideState } from './beside-state.ts'
import { JobHead, JobLine, JobRecord, type JobStore } from './job-store.ts'
import { Log } from './log.ts'
import { StoredFiles } from './stored-files.ts'

type JobFilesOptions = Readonly<{
  stateFile: string
  /** Called with the path of a file that cannot be read or holds no job. */
  report(path: string, error: unknown): void
  system?: DiskSystem
}>

/** The last line of a key counts. */
const HeadLine = Type.Union([JobHead, Type.Object({ gone: Type.String() })])
type HeadLine = JobHead | Readonly<{ gone: string }>

/** Lines of heads without use, after which the log is written anew. */
const mostUnused = 1000

export class JobFiles implements JobStore {
  readonly #options: JobFilesOptions
  readonly #system: DiskSystem
  readonly #records: StoredFiles<JobRecord>
  readonly #headLog: Log<HeadLine>
  readonly #heads = new Map<string, JobHead>()
  /** Of jobs that make progress. */
  readonly #logs = new Map<string, Log<JobLine>>()
  #headLines = 0

  constructor(options: JobFilesOptions) {
    const { stateFile, report, system = diskSystem } = options
    this.#options = options
    this.#system = system
    const isValue = (value: unknown): value is JobRecord => Value.Check(JobRecord, value)
    this.#records = new StoredFiles({ stateFile, name: 'jobs', isValue, report, system })
    const isEntry = (value: unknown): value is HeadLine => Value.Check(HeadLine, value)
    this.#headLog = new Log(besideState(stateFile, 'job-heads'), { isEntry, family: stateFile, system })
  }

  async open(): Promise<JobHead[]> {
    for (const line of this.#headLog.read()) {
      this.#headLines++
      if ('gone' in line) this.#heads.delete(line.gone)
      else this.#heads.set(line.key, line)
    }
    const keys = new Set(await this.#records.ids())
    for (const key of [...this.#heads.keys()]) if (!keys.has(key)) this.#heads.delete(key)
    for (const key of keys) if (!this.#heads.has(key)) await this.#recover(key)
    return [...this.#heads.values()]
  }

  async add(record: JobRecord, head: JobHead): Promise<void> {
    await this.#records.write(record.key, record)
    await this.setHead(head, false)
  }

  record(key: string): Promise<JobRecord | undefined> {
    return this.#records.read(key)
  }

  async lines(key: string): Promise<JobLine[]> {
    await this.rest(key)
    return this.#logOf(key).readLater()
  }

  async append(key: string, lines: readonly JobLine[], isDurable: boolean): Promise<void> {
    const log = this.#logOf(key)
    // They share one write.
    await Promise.all(lines.map((line, index) => log.append(line, isDurable && index === lines.length - 1)))
  }

  replace(key: string, lines: readonly JobLine[]): Promise<void> {
    return this.#logOf(key).replace(lines)
  }

  async setHead(head: JobHead, isDurable: boolean): Promise<void> {
    this.#heads.set(head.key, head)
    await this.#writeHead(head, isDurable)
  }

  async rest(key: string): Promise<void> {
    const log = this.#logs.get(key)
    this.#logs.delete(key)
    await log?.close()
  }

  async remove(key: string): Promise<void> {
    this.#heads.delete(key)
    await this.rest(key)
    // The log first: it is found by the name of what was asked for.
    await this.#system.unlink(this.#logPath(key)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
    await this.#records.remove(key)
    await this.#writeHead({ gone: key }, false)
  }

  async close(): Promise<void> {
    for (const key of [...this.#logs.keys()]) await this.rest(key)
    await this.#headLog.close()
  }

  async #writeHead(line: HeadLine, isDurable: boolean) {
    this.#headLines++
    if (this.#headLines <= 2 * this.#heads.size + mostUnused) return this.#headLog.append(line, isDurable)
    this.#headLines = this.#heads.size
    await this.#headLog.replace([...this.#heads.values()])
  }

  /** The head was not written, or is torn. */
  async #recover(key: string) {
    const record = await this.#records.read(key)
    if (!record) return
    const { kind, userId, epoch, scope, startedAt } = record
    const counts = outcomesIn(this.#logOf(key).read())
    const { entries, to, undo } = record
    const places = {
      ...(undo && { act: undo.act }),
      ...(entries[0] !== undefined && { first: entries[0] }),
      ...(to !== undefined && { to }),
    }
    const head = { entries: entries.length, ...places, ...counts, digest: '', startedAt, changedAt: startedAt }
    this.#heads.set(key, { key, kind, userId, epoch, scope, state: 'interrupted', ...head })
  }

  #logOf(key: string): Log<JobLine> {
    const isEntry = (value: unknown): value is JobLine => Value.Check(JobLine, value)
    const log = this.#logs.get(key) ?? new Log(this.#logPath(key), { isEntry, system: this.#system })
    this.#logs.set(key, log)
    return log
  }

  #logPath(key: string): string {
    return join(besideState(this.#options.stateFile, 'jobs'), `${key}.log`)
  }
}

/** How many entries have each outcome; the last one of an entry counts. */
export function outcomesIn(lines: readonly JobLine[]): Pick<JobHead, 'done' | 'failed' | 'skipped'> {
  const done = new Set<number>()
  const failed = new Set<number>()
  const skipped = new Set<number>()
  for (const line of lines) {
    if ('done' in line) done.add(line.done)
    else if ('failed' in line) failed.add(line.failed)
    else if ('skipped' in line) skipped.add(line.skipped)
    else if ('retried' in line) failed.clear()
  }
  return { done: done.size, failed: failed.size, skipped: skipped.size }
}
