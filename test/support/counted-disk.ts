import { Readable } from 'node:stream'
import type { Disk, OpenFile } from '../../src-server/disk/disk.ts'

/** The calls of a disk, recorded. */
export class DiskCounts {
  /** The names of the calls in order; `chunk` for each chunk that was read from a file. */
  readonly calls: string[] = []
  /** How many files are open. */
  openFiles = 0
  readonly #onCall: (name: string, counts: DiskCounts) => void

  /** @param onCall called after each call has begun */
  constructor(onCall: (name: string, counts: DiskCounts) => void = () => {}) {
    this.#onCall = onCall
  }

  add(name: string): void {
    this.calls.push(name)
    this.#onCall(name, this)
  }
}

/** Wraps a disk and records its calls. */
export function countedDisk(disk: Disk, counts: DiskCounts): Disk {
  const call = (name: string, method: (...asked: unknown[]) => unknown, asked: unknown[]) => {
    const result = method.apply(disk, asked)
    counts.add(name)
    return name === 'open' ? (result as Promise<OpenFile>).then((file) => countedFile(file, counts)) : result
  }
  return new Proxy(disk, {
    get(target, name) {
      if (name === 'batch')
        return (work: (inner: Disk) => Promise<unknown>) => target.batch((inner) => work(countedDisk(inner, counts)))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (...asked: unknown[]) => call(String(name), value as () => unknown, asked) : value
    },
  })
}

function countedFile(file: OpenFile, counts: DiskCounts): OpenFile {
  counts.openFiles++
  const close = async () => {
    await file.close()
    counts.openFiles--
  }
  async function* chunks(...asked: Parameters<OpenFile['read']>) {
    for await (const chunk of file.read(...asked)) {
      counts.add('chunk')
      yield chunk
    }
  }
  const readInto: OpenFile['readInto'] = (...asked) => {
    counts.add('chunk')
    return file.readInto(...asked)
  }
  const read: OpenFile['read'] = (range) => Readable.from(chunks(range), { objectMode: false })
  return { ...file, close, read, readInto }
}
