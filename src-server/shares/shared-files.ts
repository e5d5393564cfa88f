import { Failure } from '../base/failure.ts'
import { nameOf, type Path, parentOf, rootPath } from '../base/paths.ts'
import type { Resource, ResourceItem } from '../contract/files.ts'
import type { PreviewSize } from '../contract/previews.ts'
import type { Archive, FoundResults, OpenFile, UserFiles } from '../files/user-files.ts'
import { Listing } from '../files/user-files.ts'
import type { StoredLink } from '../state/state-data.ts'
import type { Reservation } from './downloads.ts'
import type { Target } from './target.ts'
import type { Part } from './visits.ts'

type SharedFilesParts = Readonly<{
  files: UserFiles
  link: StoredLink
  target: Target
  /** Whether something of the name is what was shared. */
  isSame(identity: string): Promise<boolean>
  count: DownloadCount
}>

/** Counts a download of the visitor, and tells of it. */
export type DownloadCount = Readonly<{
  reserve(part: Part): Promise<Reservation>
  announce(): Promise<void>
  /** Tells of a visitor who has downloaded nothing so far, once. */
  see(): Promise<void>
}>

/** Facts of the link that its answers hold. */
type LinkFacts = Readonly<{ hash: string; expire: number; hasPassword: boolean }>

/**
 * What a public link leads to. Paths count from the shared folder; of a file one name, whatever it is, stands for the file. What is
 * not there and what the owner may not see are answered alike.
 */
export class SharedFiles {
  readonly #files: UserFiles
  readonly #link: StoredLink
  readonly #target: Target
  readonly #count: DownloadCount
  readonly #isSame: SharedFilesParts['isSame']

  constructor({ files, link, target, isSame, count }: SharedFilesParts) {
    this.#files = files
    this.#link = link
    this.#target = target
    this.#isSame = isSame
    this.#count = count
  }

  /** Whether pages of other sites may show the pictures. */
  get isEmbeddable(): boolean {
    return this.#link.password === undefined
  }

  /**
   * The path below the principal that a path of the link stands for. The name of the shared folder stands for the folder itself,
   * unless there is something of this name inside: clients put the name at the end of the address.
   * @throws Failure('notFound')
   */
  async locate(path: Path): Promise<Path> {
    const target = this.#target
    if (path === rootPath) return target.path
    if (!this.#link.isDir) {
      if (parentOf(path) === rootPath) return target.path
      throw new Failure('notFound')
    }
    const isOwnName = parentOf(path) === rootPath && nameOf(path) === target.name
    const found = await alike(this.#files.find(path)).catch((error: unknown) => {
      if (!isOwnName || !(error instanceof Failure) || error.code !== 'notFound') throw error
    })
    return found ? path : rootPath
  }

  /** A file, or a folder with its items, with the facts of the link. @throws Failure('notFound') */
  async read(path: Path): Promise<(Resource & LinkFacts) | Listing> {
    const found = await alike(this.#files.find(this.#link.isDir ? path : await this.locate(path)))
    const read = await alike(found.read({ content: false }))
    const shown = read instanceof Listing ? read.folder : read
    const { hash, expire, password } = this.#link
    const own = shown.path === rootPath ? { name: this.#target.name } : {}
    Object.assign(shown satisfies ResourceItem, own, { hash, expire, hasPassword: password !== undefined })
    return read as (Resource & LinkFacts) | Listing
  }

  /** @param path as `locate` gave it @returns undefined for a folder @throws Failure('notFound') */
  async openForRaw(path: Path): Promise<OpenFile | undefined> {
    const file = await alike(this.#files.openForRaw(path))
    // The file of this name may have been replaced since the link was looked up.
    if (!this.#link.isDir && !(file && (await this.#isSame(file.identity)))) throw new Failure('notFound')
    return file
  }

  /**
   * Counts a download, before its first byte.
   * @param answer answers the request, gets the cookie of the visit, and resolves at the end of the answer
   * @param sent how much was sent then, from 0 to 1: for 0 nothing is counted
   * @throws Failure('notFound') when the link has given all of its downloads
   */
  async counted(part: Part, answer: (cookie: string | undefined) => Promise<unknown>, sent: () => number): Promise<void> {
    const reservation = await this.#count.reserve(part)
    try {
      await answer(reservation.cookie)
    } finally {
      if (await reservation.settle(sent())) await this.#count.announce()
    }
  }

  /** Called when a visitor sees something that counts as no download. */
  seen(): Promise<void> {
    return this.#count.see()
  }

  /** @throws Failure('notFound' | 'invalid') */
  archive(asked: Parameters<UserFiles['archive']>[0]): Promise<Archive> {
    return alike(this.#files.archive({ ...asked, rootName: this.#target.name }))
  }

  /** @param path as `locate` gave it @throws Failure('notFound' | 'unsupported' | 'tooLarge') */
  findPicture(path: Path, size: PreviewSize): ReturnType<UserFiles['findPicture']> {
    return alike(this.#files.findPicture(path, size))
  }

  /** @throws Failure('notFound') for a shared file, Failure('invalid') */
  async search(folder: Path, query: string): Promise<AsyncIterable<FoundResults>> {
    if (!this.#link.isDir) throw new Failure('notFound')
    return alike(this.#files.search(folder, query))
  }
}

/** What may not be seen is answered as what is not there. */
async function alike<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Failure && error.code === 'forbidden') throw new Failure('notFound', '', { cause: error })
    throw error
  }
}
