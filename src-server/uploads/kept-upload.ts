// The record of one upload, in memory as it is on the disk.
import type { Clock } from '../base/clock.ts'
import { whenStateIsFull } from '../base/room.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { UploadRecord, UploadStore } from '../state/upload-store.ts'

type Change = { [K in keyof UploadRecord]?: UploadRecord[K] | undefined }

export class KeptUpload {
  readonly #store: UploadStore
  readonly #clock: Clock
  readonly #queue = new SerialQueue()
  #record: UploadRecord
  #isRemoved = false
  /** Its bytes were missing when they were looked for last. */
  isGone = false
  /** Whether its hidden file was made, of which perhaps nothing is noted yet. */
  hasContent = false

  constructor(store: UploadStore, clock: Clock, record: UploadRecord) {
    this.#store = store
    this.#clock = clock
    this.#record = record
  }

  get record(): UploadRecord {
    return this.#record
  }

  get isRemoved(): boolean {
    return this.#isRemoved
  }

  get isFinished(): boolean {
    return this.#record.finishedAt !== undefined
  }

  /** Whether all bytes are there, of one that has no name yet. */
  get isComplete(): boolean {
    return !this.isFinished && this.#record.offset === this.#record.length
  }

  /** Bytes are coming: its time begins anew, which is noted with them. */
  touch(): void {
    this.#record = { ...this.#record, changedAt: this.#clock.now() }
  }

  /**
   * Durably, in the order of the calls. What is undefined is removed. Of one that was removed meanwhile nothing is kept again.
   * @throws Failure('full'), and what the store throws
   */
  save(change: Change): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#isRemoved) return
      const next = changed(this.#record, change)
      try {
        await this.#store.set(next)
      } catch (error) {
        throw whenStateIsFull(error, 'the record of an upload')
      }
      const { changedAt } = this.#record
      this.#record = changedAt > next.changedAt ? { ...next, changedAt } : next
    })
  }

  /** What is so whether it can be noted or not. @returns when that is known @param report called with why it cannot */
  async saveAnyway(change: Change, report: (error: unknown) => void): Promise<void> {
    await this.save(change).catch((error: unknown) => {
      this.#record = changed(this.#record, change)
      report(error)
    })
  }

  /** Resolves when all is noted that was to be noted so far. */
  noted(): Promise<void> {
    return this.#queue.run(async () => {})
  }

  /** @throws what the store throws: it is still there then */
  remove(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#store.remove(this.#record.id)
      this.#isRemoved = true
    })
  }
}

const changed = (record: UploadRecord, change: Change) =>
  Object.fromEntries(Object.entries({ ...record, ...change }).filter(([, value]) => value !== undefined)) as UploadRecord
