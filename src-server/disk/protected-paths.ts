// Files of the server that no principal may see or change, wherever the root is: state, backups, executable, certificate, key, cache.
import type { BigIntStats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { foldedName } from '../base/folded-name.ts'
import { identityOf } from './path-handle.ts'
import { StateFiles } from './state-files.ts'

export type ProtectedLocations = Readonly<{
  /** It and all names in its folder that begin with its full name: backups, lock, temporary files, first password. */
  stateFile: string
  /** Executable, options file, certificate, key, password file, socket. */
  files: readonly string[]
  /** With everything below them: cache, and from source the project. */
  folders: readonly string[]
}>

/** The present objects at the protected paths, by device and inode. */
type ProtectedState = {
  /** Names by the folder they lie in. */
  names: Map<string, Set<string>>
  /** The state's folder, with its configured and its true path; names in it that begin with the state file's are protected. */
  stateFolders: Set<string>
  statePrefixes: Set<string>
  objects: Set<string>
  /** The inode numbers of the objects. */
  inodes: Set<bigint>
  /** Every folder and link above a protected path. */
  ancestors: Set<string>
}

/** Milliseconds after which the paths are resolved again: a renewed certificate is a new object under the same name. */
const freshness = 1000

export class ProtectedPaths {
  readonly #locations: ProtectedLocations
  readonly #stateFiles = new StateFiles()
  #known = unknown()
  #lookedUp = Number.NEGATIVE_INFINITY
  #lookingUp: Promise<void> | undefined

  static of(locations: ProtectedLocations): ProtectedPaths {
    return new ProtectedPaths(locations)
  }

  private constructor(locations: ProtectedLocations) {
    // The process's own memory and open files, which the root contains when it is the root of the machine.
    this.#locations = { ...locations, folders: [...locations.folders, '/proc'] }
  }

  /** To be awaited before the methods below are called; reads the disk at most once a second. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#lookedUp < freshness) return
    this.#lookingUp ??= this.#lookUp().finally(() => {
      this.#lookingUp = undefined
    })
    await this.#lookingUp
  }

  /** To be awaited before `isProtected` is called for a file with more than one name: the state is a new file after each save. */
  refreshState(): Promise<void> {
    return this.#stateFiles.refresh()
  }

  /** Closes the handles of the state; no more are opened. */
  close(): Promise<void> {
    return this.#stateFiles.close()
  }

  /** Which names in a folder are protected, whether they exist or not; undefined when none is. @param folder its identity */
  namesIn(folder: string): ((name: string) => boolean) | undefined {
    const names = this.#known.names.get(folder)
    const prefixes = this.#known.stateFolders.has(folder) ? [...this.#known.statePrefixes] : []
    if (!names && prefixes.length === 0) return undefined
    return (name) => {
      const text = foldedName(name)
      return names?.has(text) === true || prefixes.some((prefix) => text.startsWith(prefix))
    }
  }

  /** Whether an object is protected under any name: a hard link, a mount. */
  isProtected(identity: string): boolean {
    return this.#known.objects.has(identity) || this.#stateFiles.has(identity)
  }

  /** The same with the result of `stat`; fast for unprotected objects. */
  isProtectedObject(stats: BigIntStats): boolean {
    if (!this.#known.inodes.has(stats.ino) && !this.#stateFiles.hasInode(stats.ino)) return false
    return this.isProtected(identityOf(stats))
  }

  /** Whether a protected path is below it, so that it must not be moved. */
  holdsProtected(identity: string): boolean {
    return this.#known.ancestors.has(identity)
  }

  async #lookUp() {
    const known = unknown()
    const { stateFile, files, folders } = this.#locations
    for (const path of [...files, ...folders]) await note(known, resolve(path))
    await noteState(known, resolve(stateFile))
    await this.#stateFiles.lookUp(await namesOf(resolve(stateFile)))
    this.#known = known
    this.#lookedUp = performance.now()
  }
}

function unknown(): ProtectedState {
  return {
    names: new Map(),
    stateFolders: new Set(),
    statePrefixes: new Set(),
    objects: new Set(),
    inodes: new Set(),
    ancestors: new Set(),
  }
}

async function note(known: ProtectedState, named: string) {
  for (const path of await namesOf(named)) {
    const folder = await noteFolder(known, path)
    if (folder) known.names.set(folder, (known.names.get(folder) ?? new Set()).add(foldedName(basename(path))))
  }
  const stats = await ignoringErrors(stat(named, { bigint: true }))
  if (!stats) return
  known.objects.add(identityOf(stats))
  known.inodes.add(stats.ino)
}

// Not by its own inode: every save makes a new one, and ext4 gives the old number to the next upload.
async function noteState(known: ProtectedState, named: string) {
  for (const path of await namesOf(named)) {
    const folder = await noteFolder(known, path)
    if (folder) known.stateFolders.add(folder)
    known.statePrefixes.add(foldedName(basename(path)))
  }
}

/** A configured path, and its true path when it is a link. */
async function namesOf(named: string) {
  return new Set([named, (await ignoringErrors(realpath(named))) ?? named])
}

/** Records all folders above a path. @returns the identity of its folder */
async function noteFolder(known: ProtectedState, path: string) {
  for (let above = dirname(path); ; above = dirname(above)) {
    await noteAncestor(known, above)
    if (above === dirname(above)) break
  }
  const folder = await ignoringErrors(stat(dirname(path), { bigint: true }))
  return folder && identityOf(folder)
}

// Both the link and its target folder, because whoever could move the link could replace it by another state.
async function noteAncestor(known: ProtectedState, folder: string) {
  for (const stats of [
    await ignoringErrors(lstat(folder, { bigint: true })),
    await ignoringErrors(stat(folder, { bigint: true })),
  ])
    if (stats) known.ancestors.add(identityOf(stats))
}

async function ignoringErrors<T extends BigIntStats | string>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch {
    return undefined
  }
}
