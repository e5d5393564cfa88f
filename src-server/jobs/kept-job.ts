// What a job was asked for and how far it is: in memory while it runs, and as it is kept.
import { isOutOfSpace } from '../base/room.ts'
import type { JobHead, JobLine, JobRecord } from '../state/job-store.ts'
import { isRetried, type JobParts } from './job-parts.ts'
import { makesSpace } from './kinds.ts'
import { JobProgress } from './progress.ts'

export class KeptJob {
  readonly #parts: Pick<JobParts, 'store' | 'report'>
  readonly #key: string
  /** In memory until it is recorded, and while it runs. */
  record: JobRecord | undefined
  progress: JobProgress | undefined
  #isRecorded: boolean
  #adding: Promise<void> | undefined

  /** @param record of a new job; without it, it was kept before */
  constructor(parts: Pick<JobParts, 'store' | 'report'>, key: string, record?: JobRecord) {
    this.#parts = parts
    this.#key = key
    this.record = record
    this.#isRecorded = record === undefined
  }

  /** Whether it outlives the server. */
  get isRecorded(): boolean {
    return this.#isRecorded
  }

  /** @returns whether that was to be done @throws Failure('full'), what else the store throws */
  async add(head: JobHead): Promise<boolean> {
    if (this.#isRecorded || !this.record) return false
    // What is to be logged from now on waits until it can be: it comes behind these lines.
    this.#adding = this.#parts.store.add(this.record, head, this.progress?.lines())
    await this.#adding
    this.#isRecorded = true
    return true
  }

  /** Returns when it is recorded, if it is about to be. */
  async added(): Promise<void> {
    if (!this.#isRecorded) await this.#adding?.catch(() => {})
  }

  async load(): Promise<Readonly<{ record?: JobRecord; progress?: JobProgress }>> {
    const { store } = this.#parts
    const record = this.record ?? (await store.record(this.#key))
    if (!record) return {}
    return { record, progress: this.progress ?? new JobProgress(record.entries.length, await store.lines(this.#key)) }
  }

  forget(): void {
    this.record = undefined
    this.progress = undefined
  }

  async append(lines: readonly JobLine[], isDurable: boolean): Promise<void> {
    await this.added()
    if (!this.#isRecorded) {
      // Now: what is added later is all that is known then.
      for (const line of lines) this.progress?.add(line)
      return
    }
    await this.#parts.store.append(this.#key, lines, isDurable).catch((error: unknown) => this.ignoreFull(error))
  }

  /** Keeps the answers with which it goes on. @param progress has them */
  async answer(lines: readonly JobLine[], progress: JobProgress | undefined): Promise<void> {
    if (!this.#isRecorded || lines.length === 0) return
    const { store } = this.#parts
    // What failed before is of no use any more: the log would grow with each attempt.
    if (progress && lines.some(isRetried)) await store.replace(this.#key, progress.lines())
    else await store.append(this.#key, lines, true)
  }

  /** Without it nothing tells what others made meanwhile. @param since when it has rested, see `JobProgress.rest` */
  async noteRest(progress: JobProgress | undefined, since: number, isDurable: boolean): Promise<void> {
    const rest = await progress?.rest(since)
    if (rest && this.#isRecorded) await this.#parts.store.append(this.#key, [rest], isDurable).catch(this.#parts.report)
  }

  async setHead(head: JobHead, isDurable: boolean): Promise<void> {
    if (this.#isRecorded) await this.#parts.store.setHead(head, isDurable).catch(this.#parts.report)
  }

  /** Puts away what it has in memory. */
  async rest(): Promise<void> {
    if (!this.#isRecorded) return
    this.forget()
    await this.#parts.store.rest(this.#key).catch(this.#parts.report)
  }

  /** @throws the error of what was to be kept, unless that is for want of space, which the job makes */
  ignoreFull(error: unknown): void {
    if (!makesSpace(this.record) || !isOutOfSpace(error)) throw error
  }
}
