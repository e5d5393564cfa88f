// Jobs as files beside the state: `<state>.jobs/` has what was asked for and a log of each, and `<state>.job-heads` the heads of all.
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { checkFor } from '../base/checks.ts'
import { Failure } from '../base/failure.ts'
import { isOutOfSpace } from '../base/room.ts'
import { type DiskSystem, diskSystem } from '../disk/system.ts'
import { besideState } from './beside-state.ts'
import { JobHead, JobLine, JobRecord, type JobStore } from './job-store.ts'
import { Log } from './log.ts'
import { makeFolderBeside, namesIn, StoredFiles } from './stored-files.ts'

type JobFilesOptions = Readonly<{
  stateFile: string
  /** Called with the path of a file that cannot be read or holds no job. */
  report(path: string, error: unknown): void
  system?: DiskSystem
}>

/** The last line of a key counts. */
const HeadLine = Type.Union([JobHead, Type.Object({ gone: Type.String() })])
const isLine = checkFor(JobLine)
type HeadLine = JobHead | Readonly<{ gone: string }>

/** Lines of heads without use, after which the log is written anew. */
const mostUnused = 1000
/** Of the disk of the state, which may be another one than that of the entries. */
const noRecord = 'no space is left where the server keeps its own files'
const atWork: readonly JobHead['state'][] = ['waiting', 'running', 'pausing', 'cancelling']
/** How the names of the logs end. */
const ofLogs = '.log'

export class JobFiles implements JobStore {
  /** Of what was asked for and of the logs. */
  readonly #folder: string
  readonly #system: DiskSystem
  readonly #records: StoredFiles<JobRecord>
  readonly #headLog: Log<HeadLine>
  readonly #heads = new Map<string, JobHead>()
  /** Of jobs that make progress. */
  readonly #logs = new Map<string, Log<JobLine>>()
  #headLines = 0

  constructor(options: JobFilesOptions) {
    const { stateFile, report, system = diskSystem } = options
    this.#folder = besideState(stateFile, 'jobs')
    this.#system = system
    const isValue = (value: unknown): value is JobRecord => Value.Check(JobRecord, value)
    this.#records = new StoredFiles({ stateFile, name: 'jobs', isValue, report, system })
    this.#headLog = new Log(besideState(stateFile, 'job-heads'), { isEntry: checkFor(HeadLine), family: stateFile, system })
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
    // The head of what was at work says how far it was when it began or rested last.
    for (const [key, head] of this.#heads)
      if (atWork.includes(head.state)) this.#heads.set(key, { ...head, ...outcomesIn(this.#logOf(key).read()) })
    const logged = (await namesIn(this.#folder))
      .filter((name) => name.endsWith(ofLogs))
      .map((name) => name.slice(0, -ofLogs.length))
    for (const key of logged) if (!keys.has(key)) await this.#removeLog(key)
    return [...this.#heads.values()]
  }

  async add(record: JobRecord, head: JobHead, lines: readonly JobLine[] = []): Promise<void> {
    const { key } = record
    try {
      if (lines.length > 0) await makeFolderBeside(this.#system, this.#folder)
      // Before what makes the job known. The log of one that was not added is removed at the next start.
      if (lines.length > 0) await this.#logOf(key).replace(lines)
      await this.#records.write(key, record)
      await this.setHead(head, false)
    } catch (error) {
      // What is left of it when this fails too is found by the next start; the first error says why.
      await this.#dropAdded(key).catch(() => {})
      throw isOutOfSpace(error) ? new Failure('full', noRecord, { cause: error }) : error
    }
  }

  /** By its record alone it would be found, as one that was interrupted, by the next start: it could then be continued. */
  async #dropAdded(key: string) {
    this.#heads.delete(key)
    await this.#records.remove(key)
    await this.#removeLog(key)
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
    // The log first: it is found by the name of what was asked for.
    await this.#removeLog(key)
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
    const { kind, userId, epoch, scope, startedAt, entries, to, undo, trash } = record
    const first = record.first ?? entries[0]
    const counts = outcomesIn(this.#logOf(key).read())
    const places = {
      ...(undo && { act: undo.act }),
      ...(undo?.redo && { redo: true as const }),
      ...(trash !== undefined && { trash }),
      ...(first !== undefined && { first }),
      ...(to !== undefined && { to }),
    }
    const head = { entries: entries.length, ...places, ...counts, digest: '', startedAt, changedAt: startedAt }
    this.#heads.set(key, { key, kind, userId, epoch, scope, state: 'interrupted', ...head })
  }

  #logOf(key: string): Log<JobLine> {
    const log = this.#logs.get(key) ?? new Log(this.#logPath(key), { isEntry: isLine, system: this.#system })
    this.#logs.set(key, log)
    return log
  }

  async #removeLog(key: string) {
    await this.rest(key)
    await this.#system.unlink(this.#logPath(key)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
  }

  #logPath(key: string): string {
    return join(this.#folder, key + ofLogs)
  }
}

/** How many entries have each outcome, and how many are asked about; the last line of an entry counts. */
function outcomesIn(lines: readonly JobLine[]): Pick<JobHead, 'done' | 'failed' | 'skipped' | 'unchanged' | 'asked'> {
  const outcomes = new Map<number, 'done' | 'failed' | 'skipped' | 'unchanged'>()
  const asked = new Set<number>()
  const end = (entry: number, outcome: 'done' | 'failed' | 'skipped' | 'unchanged') => {
    outcomes.set(entry, outcome)
    asked.delete(entry)
  }
  for (const line of lines) {
    if ('done' in line) end(line.done, line.isUnchanged ? 'unchanged' : 'done')
    else if ('failed' in line) end(line.failed, 'failed')
    else if ('skipped' in line) end(line.skipped, 'skipped')
    else if ('asked' in line) asked.add(line.asked)
    else if ('answered' in line && line.all) asked.clear()
    else if ('answered' in line) asked.delete(line.answered)
    else if ('retried' in line) for (const [entry, outcome] of outcomes) if (outcome === 'failed') outcomes.delete(entry)
  }
  const counts = { done: 0, failed: 0, skipped: 0, unchanged: 0 }
  for (const outcome of outcomes.values()) counts[outcome]++
  const { unchanged, ...others } = counts
  return { ...others, done: others.done + unchanged, asked: asked.size, ...(unchanged > 0 && { unchanged }) }
}
