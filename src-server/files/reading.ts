import { authorize, isBlocked } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { type Path, parentOf } from '../base/paths.ts'
import { mapYielding } from '../base/yield-to-event-loop.ts'
import type { Resource, ResourceItem } from '../contract/files.ts'
import type { Sorting } from '../contract/users.ts'
import type { Disk, Entry, OpenFile } from '../disk/disk.ts'
import { type ChecksumAlgorithm, checksumAlgorithm, checksumOf } from './checksum.ts'
import { inspect } from './content.ts'
import { Listing } from './listing.ts'
import { itemOf } from './resource.ts'
import { sortEntries } from './sorting.ts'
import { isVideo, subtitleFolders, subtitlesAmong } from './subtitles.ts'
import { isHidden } from './walk.ts'

type ReadingParts = {
  principal: Principal
  disk: Disk
  operation: Operation
  sorting: Sorting
  locale: string
  /** Why nothing goes from a folder into the trash, which it says. */
  noTrash(folder: Path): Promise<string | undefined>
}

export type ReadHow = Readonly<{
  /** The name of an algorithm: the answer then has the file's checksum instead of its text. */
  checksum?: string | undefined
  /** Whether the answer has the text of a file; true by default. */
  content?: boolean
  /** The encoding of the text, or `auto`; without it only UTF-8 is text. */
  encoding?: string | undefined
}>

export type Found = Readonly<{
  entry: Entry
  /** A folder with its items, or a file with its kind and, if downloading is permitted, its text. @throws Failure('forbidden' | 'invalid') */
  read(how?: ReadHow): Promise<Resource | Listing>
}>

/** Reads files, and changes none. */
export class FileReading {
  readonly #principal: Principal
  readonly #disk: Disk
  readonly #operation: Operation
  readonly #sorting: Sorting
  readonly #locale: string
  readonly #noTrash: ReadingParts['noTrash']

  constructor({ principal, disk, operation, sorting, locale, noTrash }: ReadingParts) {
    this.#principal = principal
    this.#disk = disk
    this.#operation = operation
    this.#sorting = sorting
    this.#locale = locale
    this.#noTrash = noTrash
  }

  async find(path: Path): Promise<Found> {
    const entry = await this.#disk.stat(authorize(this.#principal, 'read', path), this.#operation.signal)
    refuseUnreachable(entry)
    return { entry, read: (how = {}) => this.#read(entry, how) }
  }

  #read(entry: Entry, { checksum, ...how }: ReadHow): Promise<Resource | Listing> {
    if (entry.isDir) return this.#folder(entry)
    return checksum ? this.#withChecksum(entry, checksumAlgorithm(checksum)) : this.#file(entry, how)
  }

  async openForRaw(path: Path): Promise<OpenFile | undefined> {
    const capability = authorize(this.#principal, 'download', path)
    const entry = await this.#disk.stat(authorize(this.#principal, 'read', path), this.#operation.signal)
    refuseUnreachable(entry)
    if (entry.isDir) return undefined
    return this.#operation.own(await this.#disk.open(capability, this.#operation.signal))
  }

  async #folder(folder: Entry): Promise<Listing> {
    const { signal } = this.#operation
    // What fails says nothing of it: who deletes something is told.
    const [visible, noTrash] = await Promise.all([
      this.#visibleIn(folder.path),
      this.#noTrash(folder.path).catch(() => undefined),
    ])
    const entries = await sortEntries(visible, { ...this.#sorting, locale: this.#locale, signal })
    const parts = { folder, entries, sorting: this.#sorting, noTrash, subtitlesOf: subtitlesAmong(visible) }
    return Listing.of(parts, signal)
  }

  async #visibleIn(folder: Path): Promise<Entry[]> {
    const entries = await this.#disk.list(authorize(this.#principal, 'read', folder), this.#operation.signal)
    return mapYielding(entries, (entry) => (isHidden(this.#principal, entry) ? undefined : entry), this.#operation.signal)
  }

  /** Without the permission to download the kind is that of the name, and nothing is read from the bytes. */
  async #file(entry: Entry, { content: withContent = true, encoding }: ReadHow): Promise<Resource> {
    const item = itemOf(entry, await this.#subtitlesOf(entry))
    const { signal } = this.#operation
    if (!this.#principal.permissions.download || entry.unreachable) return this.#shown(item)
    const { content, ...kind } = await this.#opened(entry.path, (file) =>
      inspect(file, { name: entry.name, withContent, encoding, signal }),
    )
    return this.#shown({ ...item, ...kind, ...(content && { content }) })
  }

  async #subtitlesOf(entry: Entry): Promise<Path[]> {
    const folder = parentOf(entry.path)
    if (!isVideo(entry) || isBlocked(this.#principal, folder)) return []
    const beside = await this.#visibleIn(folder)
    const inside = await Promise.all(subtitleFolders(beside).map(({ path }) => this.#visibleIn(path).catch(ignoringErrors)))
    return subtitlesAmong([...beside, ...inside.flat()])(entry)
  }

  async #withChecksum(entry: Entry, algorithm: ChecksumAlgorithm): Promise<Resource> {
    const { signal } = this.#operation
    const sum = await this.#opened(entry.path, async (file) => {
      const onProgress = (done: number) => this.#operation.report({ done, total: file.entry.size })
      const sum = await checksumOf(algorithm, file, { signal, onProgress })
      await this.#checkUnchanged(file)

      return sum
    })
    return this.#shown({ ...itemOf(entry), checksums: { [algorithm]: sum } })
  }

  /** A checksum of bytes from before and after a change is that of no file; one that changes all the time has no version. @throws Failure('conflict') */
  async #checkUnchanged({ entry, version }: OpenFile): Promise<void> {
    const now = await this.#disk.stat(authorize(this.#principal, 'read', entry.path), this.#operation.signal)
    if (version === '' || now.version !== version) throw new Failure('conflict', 'the file changed while it was read')
  }

  #shown<T extends ResourceItem>(item: T): T {
    const mayNotModify = item.type === 'text' && !this.#principal.permissions.modify
    return mayNotModify ? { ...item, type: 'textImmutable' } : item
  }

  async #opened<T>(path: Path, work: (file: OpenFile) => Promise<T>): Promise<T> {
    const file = await this.#disk.open(authorize(this.#principal, 'download', path), this.#operation.signal)
    try {
      return await work(file)
    } finally {
      await file.close()
    }
  }
}

/** A folder of subtitles that cannot be read says nothing about the video. */
const ignoringErrors = (): Entry[] => []

/** FIFOs and devices are shown with name and kind; the disk refuses to open them. @throws Failure('notFound' | 'forbidden') */
export function refuseUnreachable({ unreachable }: Entry) {
  if (unreachable === 'broken') throw new Failure('notFound')
  if (unreachable === 'outside') throw new Failure('forbidden', 'the link leads out of your files')
}
