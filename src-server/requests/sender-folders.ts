// The folder of each sender in that of a request link: made with the first file, and found by its name and what it is.
import { authorize } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { childOf, joined, type Path, parentOf, parsePath, partsOf, rootPath } from '../base/paths.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { Disk } from '../disk/disk.ts'
import type { Source } from '../events/events.ts'
import { numbered, numberedWhole } from '../files/free-name.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { Grant } from '../users/access-revocation.ts'
import type { Book, Sender } from './book.ts'
import type { Books } from './books.ts'
import { folderName, momentName } from './sender-names.ts'

export type OpenedFolder = Readonly<{ files: UserFiles; disk: Disk; principal: Principal }>

/** In the folder of the link. The operation owns the disk. */
export type OpenFolder = (
  principal: Principal,
  operation: Operation,
  how: Readonly<{ source: Source; grant?: Grant | undefined }>,
) => OpenedFolder

/** Names that are tried for a folder. */
const mostTries = 1000

export class SenderFolders {
  readonly #books: Books
  readonly #now: () => number
  /** By link and sender: two first files make one folder. */
  readonly #queue = new SerialQueue()

  constructor(books: Books, now: () => number) {
    this.#books = books
    this.#now = now
  }

  /** The name of the folder of a sender, when it is still where it was made, or was renamed to; undefined otherwise. */
  async find(opened: OpenedFolder, sender: Sender | undefined): Promise<string | undefined> {
    const { folder } = sender ?? {}
    if (!folder) return undefined
    const present = await identityOf(opened, folder.name)
    const isSame = present !== undefined && (folder.identity === '' || folder.identity === present)
    return isSame ? folder.name : undefined
  }

  /** The same, made when there is none. @throws as making a folder does */
  findOrMake(opened: OpenedFolder, hash: string, { book, sender }: { book: Book; sender: string }): Promise<string> {
    return this.#queue.run(async () => {
      const found = await this.find(opened, book.senders.get(sender))
      if (found !== undefined) return found
      const name = await this.#make(opened, hash, { book, sender })
      const identity = (await identityOf(opened, name)) ?? ''
      await this.#books.add(hash, { is: 'folder', sender, name, identity })
      return name
    }, `${hash} ${sender}`)
  }

  /** Does something with the folder of a sender while nobody else makes or looks for it. */
  alone(hash: string, sender: string, work: () => Promise<void>): Promise<void> {
    return this.#queue.run(work, `${hash} ${sender}`)
  }

  /** Its name is noted before it is made: of one that a kill has left empty it is known whose it is. */
  async #make(opened: OpenedFolder, hash: string, { book, sender }: { book: Book; sender: string }): Promise<string> {
    const { name: person, planned } = book.senders.get(sender) ?? {}
    const moment = momentName(this.#now())
    const chosen = (person !== undefined && folderName(person)) || moment
    for (let number = 0, wanted = chosen; number < mostTries; number++) {
      const name = number === 0 ? wanted : numberedWhole(wanted, number)
      const path = childOf(rootPath, name)
      try {
        if (await opened.files.look(path)) {
          if (name === planned && (await isLeft(opened, name, book))) return name
          continue
        }
        const within = joined(opened.principal.scope, opened.principal.base)
        await this.#books.add(hash, { is: 'folder', sender, name, identity: '', isPlanned: true, within })
        await opened.files.makeNewFolder(path)
        return name
      } catch (error) {
        const { code } = error instanceof Failure ? error : {}
        // A name that rules block, or that the server itself uses: the moment stands for it.
        const isRefused = (code === 'forbidden' || code === 'invalid') && wanted !== moment
        if (!isRefused && code !== 'conflict') throw error
        if (isRefused) [wanted, number] = [moment, -1]
      }
    }
    throw new Failure('conflict', 'the name is taken')
  }
}

/** Where a file goes that is sent with its folders: those that are there are used, files in the way are not. @param name with its folders */
export async function pathFor(files: UserFiles, name: string): Promise<Path> {
  const path = parsePath(`/${name}`)
  let folder = rootPath
  for (const wanted of partsOf(parentOf(path))) folder = await freeFolder(files, folder, wanted)
  return childOf(folder, partsOf(path).at(-1) ?? '')
}

async function freeFolder(files: UserFiles, parent: Path, wanted: string): Promise<Path> {
  for (let number = 0; number < mostTries; number++) {
    const path = childOf(parent, number === 0 ? wanted : numbered(wanted, number))
    const entry = await files.look(path)
    if (!entry || (entry.isDir && !entry.isSymlink)) return path
  }
  throw new Failure('conflict', 'the name is taken')
}

/** Whether a folder is empty, and nobody's. */
async function isLeft(opened: OpenedFolder, name: string, { senders }: Book): Promise<boolean> {
  const identity = await identityOf(opened, name)
  for (const { folder } of senders.values()) if (folder?.name === name && folder.identity === identity) return false
  const { disk, principal } = opened
  const entries = await disk.list(authorize(principal, 'read', childOf(rootPath, name))).catch(() => undefined)
  return entries?.length === 0
}

async function identityOf({ disk, principal }: OpenedFolder, name: string): Promise<string | undefined> {
  try {
    return await disk.identify(authorize(principal, 'read', childOf(rootPath, name)))
  } catch (error) {
    if (error instanceof Failure && ['notFound', 'forbidden', 'invalid'].includes(error.code)) return undefined
    throw error
  }
}
