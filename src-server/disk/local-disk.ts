import { Ticket } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Bounds } from './bounds.ts'
import { atSpot } from './confine.ts'
import type { Disk, Entry, OpenFile, WriteHow } from './disk.ts'
import { entryAt, present } from './entry.ts'
import { asFailure } from './errno.ts'
import { type Grip, type Held, holdAgain, systemGrip } from './held.ts'
import { list } from './list.ts'
import { copyLink, makeFolder } from './make.ts'
import { move } from './move.ts'
import { openFile } from './open.ts'
import type { OwnFiles } from './own-files.ts'
import { remove } from './remove.ts'
import { type DiskSystem, diskSystem } from './system.ts'
import { writeFile } from './write.ts'

export type LocalDiskOptions = Readonly<{
  /** A folder of the host. */
  root: string
  /** The folder below the root that is the disk's own root. */
  scope: Path
  ours: OwnFiles
  /** Folders of the host into which links may lead. */
  linksInto: readonly string[]
  system?: DiskSystem
  grip?: Grip
}>

/** The files below one folder of this machine. */
export class LocalDisk implements Disk {
  readonly #bounds: Bounds
  #running = 0
  #isClosed = false

  /**
   * Holds the scope's folder until close(): the disk stays with this very folder, whatever becomes of its name.
   * @throws Failure('notFound') when there is no such folder, Failure('forbidden') when it is ours or a link on the way leaves the root
   */
  static async open({ root, scope, system = diskSystem, grip = systemGrip, ...rest }: LocalDiskOptions): Promise<LocalDisk> {
    // With '/.', so that a link in the root's place is followed: the root is the administrator's word.
    const whole = await asFailure(grip.hold(`${root}/.`))
    try {
      const bounds = { root: whole, system, grip, ours: rest.ours, linksInto: rest.linksInto }
      return new LocalDisk({ ...bounds, root: await asFailure(holdScope(bounds, scope)) })
    } finally {
      whole.close()
    }
  }

  private constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Takes no more work, and lets the folder go when what is running is done. Files that were opened stay open. */
  close(): void {
    this.#isClosed = true
    this.#letGoWhenIdle()
  }

  stat(at: Ticket<'see'>): Promise<Entry> {
    return this.#run((bounds) => entryAt(bounds, Ticket.redeem(at, 'see')))
  }

  list(at: Ticket<'see'>): Promise<Entry[]> {
    return this.#run((bounds) => list(bounds, Ticket.redeem(at, 'see')))
  }

  open(at: Ticket<'download' | 'rename'>): Promise<OpenFile> {
    return this.#run((bounds) => openFile(bounds, Ticket.redeem(at, 'download', 'rename')))
  }

  write(at: Ticket<'create' | 'modify' | 'rename'>, body: AsyncIterable<Uint8Array>, how: WriteHow): Promise<Entry> {
    return this.#run((bounds) => writeFile(bounds, Ticket.redeem(at, 'create', 'modify', 'rename'), body, how))
  }

  makeFolder(at: Ticket<'create' | 'rename'>, like?: Entry): Promise<void> {
    return this.#run((bounds) => makeFolder(bounds, Ticket.redeem(at, 'create', 'rename'), like))
  }

  copyLink(from: Ticket<'download' | 'rename'>, to: Ticket<'create' | 'rename'>): Promise<void> {
    return this.#run((bounds) => {
      const source = Ticket.redeem(from, 'download', 'rename')
      const target = Ticket.redeem(to, 'create', 'rename')
      return copyLink(bounds, { ...source, mayLeave: source.need === 'rename' }, target)
    })
  }

  remove(at: Ticket<'delete' | 'rename' | 'modify'>): Promise<void> {
    return this.#run((bounds) => remove(bounds, Ticket.redeem(at, 'delete', 'rename', 'modify')))
  }

  move(from: Ticket<'rename'>, to: Ticket<'rename' | 'create' | 'modify'>, how: { replace: boolean }): Promise<void> {
    return this.#run((bounds) => {
      const source = Ticket.redeem(from, 'rename')
      return move(bounds, source, Ticket.redeem(to, 'rename', 'create', 'modify'), how)
    })
  }

  async #run<T>(work: (bounds: Bounds) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Failure('internal', 'the disk was closed')
    this.#running++
    try {
      return await asFailure(work(this.#bounds))
    } finally {
      this.#running--
      this.#letGoWhenIdle()
    }
  }

  // Not while anything runs: the number of a closed handle soon names something else, and a path would start there.
  #letGoWhenIdle() {
    if (this.#isClosed && this.#running === 0) this.#bounds.root.close()
  }
}

function holdScope(bounds: Bounds, scope: Path): Promise<Held> {
  const everything = { path: scope, need: 'see', isBlocked: () => false } as const
  return atSpot(bounds, everything, true, async (spot) => {
    const folder = present(spot)
    if (folder.kind !== 'folder') throw new Failure('notFound', 'the scope is not a folder')
    if (bounds.ours.isOurThing(folder.identity)) throw new Failure('forbidden', "the folder is the server's own")
    return holdAgain(bounds.grip, folder)
  })
}
