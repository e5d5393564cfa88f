// Unfinished uploads as files beside the state: `<state>.uploads/` has one of each of a person, `<state>.request-uploads/` of a sender.
import { Value } from 'typebox/value'
import type { DiskSystem } from '../disk/system.ts'
import { StoredFiles } from './stored-files.ts'
import { UploadRecord, type UploadStore } from './upload-store.ts'

type UploadFilesOptions = Readonly<{
  stateFile: string
  name?: 'uploads' | 'request-uploads'
  /** Called with the path of a file that cannot be read or holds no upload. */
  report(path: string, error: unknown): void
  system?: DiskSystem
}>

/** What changes with each piece. */
const ofPieces: readonly string[] = ['offset', 'changedAt', 'isCompared']

export class UploadFiles implements UploadStore {
  readonly #records: StoredFiles<UploadRecord>
  /** As they were written last, of those of which more is to come. */
  readonly #written = new Map<string, UploadRecord>()

  constructor(options: UploadFilesOptions) {
    const isValue = (value: unknown): value is UploadRecord => Value.Check(UploadRecord, value)
    this.#records = new StoredFiles({ name: 'uploads', ...options, isValue })
  }

  async open(): Promise<UploadRecord[]> {
    const records = await this.#records.all()
    // A copy under another name is none.
    return [...records].filter(([id, record]) => id === record.id).map(([, record]) => record)
  }

  async set(record: UploadRecord): Promise<void> {
    const { id, offset, length = Number.POSITIVE_INFINITY, changedAt, isCompared } = record
    const before = this.#written.get(id)
    this.#written.delete(id)
    const isPiece = before !== undefined && isSameButPieces(before, record)
    const hasMore = offset < length
    const isChanged = isPiece && (await this.#records.change(id, { offset, changedAt, isCompared }))
    if (!isChanged) await this.#records.write(id, record, isPiece && hasMore)
    if (hasMore) this.#written.set(id, record)
  }

  remove(id: string): Promise<void> {
    this.#written.delete(id)
    return this.#records.remove(id)
  }
}

function isSameButPieces(one: UploadRecord, other: UploadRecord): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof UploadRecord>
  return [...keys].every((key) => one[key] === other[key] || ofPieces.includes(key))
}
