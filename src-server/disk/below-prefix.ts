// A disk whose paths begin with that of a folder which has no name yet: rights are asked by the paths that its entries will have.
import { type Path, rootPath } from '../base/paths.ts'
import {
  type BeginHow,
  type CommitHow,
  DiskDriver,
  type DriverFile,
  type DriverWrite,
  type Entry,
  type Granted,
  type ListHow,
  type MoveHow,
  type RemoveHow,
} from './driver.ts'

export class BelowPrefix extends DiskDriver {
  readonly #inner: DiskDriver
  readonly #prefix: string

  constructor(inner: DiskDriver, prefix: Path) {
    super()
    this.#inner = inner
    this.#prefix = prefix === rootPath ? '' : prefix
  }

  async stat(at: Granted): Promise<Entry> {
    return this.#named(await this.#inner.stat(this.#below(at)))
  }

  async list(at: Granted, how?: ListHow): Promise<Entry[]> {
    return (await this.#inner.list(this.#below(at), how)).map((entry) => this.#named(entry))
  }

  open(at: Granted): Promise<DriverFile> {
    return this.#inner.open(this.#below(at))
  }

  beginWrite(at: Granted, how: BeginHow): Promise<DriverWrite> {
    return this.#inner.beginWrite(this.#below(at), how)
  }

  override write(at: Granted, body: AsyncIterable<Uint8Array>, how: CommitHow): Promise<Entry> {
    return this.#inner.write(this.#below(at), body, how)
  }

  override copyFile(from: Granted, to: Granted, how: CommitHow): Promise<Entry> {
    return this.#inner.copyFile(this.#below(from), this.#below(to), how)
  }

  makeFolder(at: Granted, like?: Entry): Promise<void> {
    return this.#inner.makeFolder(this.#below(at), like)
  }

  override setFolderAttributes(at: Granted, like: Entry): Promise<void> {
    return this.#inner.setFolderAttributes(this.#below(at), like)
  }

  override makeLink(at: Granted, text: string): Promise<void> {
    return this.#inner.makeLink(this.#below(at), text)
  }

  remove(at: Granted, how: RemoveHow): Promise<void> {
    return this.#inner.remove(this.#below(at), how)
  }

  move(from: Granted, to: Granted, how: MoveHow): Promise<void> {
    return this.#inner.move(this.#below(from), this.#below(to), how)
  }

  override batch<T>(work: (driver: DiskDriver) => Promise<T>): Promise<T> {
    return this.#inner.batch((inner) => work(new BelowPrefix(inner, (this.#prefix || rootPath) as Path)))
  }

  #below({ path, isBlocked, ...at }: Granted): Granted {
    const prefix = this.#prefix
    if (path !== prefix && !path.startsWith(`${prefix}/`)) throw new TypeError('The path is of another folder')
    return {
      ...at,
      path: (path.slice(prefix.length) || '/') as Path,
      isBlocked: (inner) => isBlocked(`${prefix}${inner}` as Path),
    }
  }

  #named(entry: Entry): Entry {
    return { ...entry, path: `${this.#prefix}${entry.path}` as Path }
  }
}
