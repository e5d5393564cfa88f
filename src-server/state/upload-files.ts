// Unfinished uploads as files beside the state: `<state>.uploads/` has one of each of a person, `<state>.request-uploads/` of a sender.
import { checkFor } from '../base/checks.ts'
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

export class UploadFiles implements UploadStore {
  readonly #records: StoredFiles<UploadRecord>

  constructor(options: UploadFilesOptions) {
    this.#records = new StoredFiles({ name: 'uploads', ...options, isValue: checkFor(UploadRecord) })
  }

  async open(): Promise<UploadRecord[]> {
    const records = await this.#records.all()
    // A copy under another name is none.
    return [...records].filter(([id, record]) => id === record.id).map(([, record]) => record)
  }

  set(record: UploadRecord): Promise<void> {
    return this.#records.write(record.id, record)
  }

  remove(id: string): Promise<void> {
    return this.#records.remove(id)
  }
}
