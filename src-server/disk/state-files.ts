// The present state and its backups, by inode: a hard link to one of them inside the root is protected as well. Each save makes a
// new file, and a file system reuses a free inode number for the next upload; so they are kept open, which reserves their numbers.
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { SerialQueue } from '../base/serial-queue.ts'
import { openChild } from './open-child.ts'
import { type PathHandle, systemStrategy } from './path-handle.ts'

type NamedFile = Readonly<{ folder: PathHandle; name: string }>

export class StateFiles {
  /** By identity. */
  readonly #open = new Map<string, PathHandle>()
  #inodes = new Set<bigint>()
  /** The state's folder, with its configured and its true path. */
  #files: readonly NamedFile[] = []
  /** None of its work uses a folder that another has closed. */
  readonly #queue = new SerialQueue()
  /** A refresh that has not started yet; calls until then share it. */
  #refreshing: Promise<void> | undefined
  #isClosed = false

  has(identity: string): boolean {
    return this.#open.has(identity)
  }

  hasInode(inode: bigint): boolean {
    return this.#inodes.has(inode)
  }

  /** Opens the state that was saved since, and closes the one before. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#queue.run(() => {
      this.#refreshing = undefined
      return this.#keepStates()
    })
    return this.#refreshing
  }

  /** Finds the folders and the backups again, and closes what has gone. @param named where the state is */
  lookUp(named: ReadonlySet<string>): Promise<void> {
    return this.#queue.run(() => this.#lookUp(named))
  }

  /** Closes all, at the end of the server: their inode numbers may be reused from then on. */
  close(): Promise<void> {
    return this.#queue.run(async () => {
      this.#isClosed = true
      for (const { folder } of this.#files) folder.close()
      for (const handle of this.#open.values()) handle.close()
      this.#files = []
      this.#open.clear()
      this.#inodes.clear()
    })
  }

  async #lookUp(named: ReadonlySet<string>) {
    if (this.#isClosed) return
    for (const { folder } of this.#files) folder.close()
    this.#files = []
    this.#files = await namedFilesOf(named)
    await this.#keepStates()
    for (const file of this.#files) {
      for (const name of await backupsIn(file)) await this.#keep({ ...file, name })
    }
    await this.#closeRemoved()
  }

  async #keepStates() {
    let isNew = false
    for (const file of this.#files) isNew = (await this.#keep(file)) || isNew
    // Also while nothing else is asked for, and not only once a second: each save leaves one.
    if (isNew) await this.#closeRemoved()
  }

  /** @returns whether the file was not open before */
  async #keep({ folder, name }: NamedFile): Promise<boolean> {
    const handle = await openChild(systemStrategy, folder, name).catch(() => undefined)
    if (!handle) return false
    if (handle.kind !== 'file' || this.#open.has(handle.identity)) {
      handle.close()
      return false
    }
    this.#open.set(handle.identity, handle)
    this.#inodes.add(handle.stats.ino)
    return true
  }

  /** Closes files without a name, which frees their inode numbers. A former state that has a name has a hard link. */
  async #closeRemoved() {
    for (const [identity, handle] of this.#open) {
      const stats = await stat(handle.address, { bigint: true }).catch(() => undefined)
      if (stats && stats.nlink > 0n && stats.ino === handle.stats.ino) continue
      this.#open.delete(identity)
      handle.close()
    }
    this.#inodes = new Set([...this.#open.values()].map(({ stats }) => stats.ino))
  }
}

async function namedFilesOf(named: ReadonlySet<string>): Promise<NamedFile[]> {
  const files: NamedFile[] = []
  for (const path of named) {
    // With '/.', so that a folder that is a link is followed.
    const folder = await systemStrategy.openPath(`${dirname(path)}/.`).catch(() => undefined)
    if (folder) files.push({ folder, name: basename(path) })
  }
  return files
}

async function backupsIn({ folder, name }: NamedFile): Promise<string[]> {
  const names = await readdir(folder.address).catch(() => [])
  return names.filter((one) => one.startsWith(`${name}.backup-`))
}
