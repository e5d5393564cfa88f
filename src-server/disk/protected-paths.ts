// The server's own files are nobody's, wherever the root is: state, backups, executable, certificate, key, cache.
import type { BigIntStats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { identityOf } from './path-handle.ts'

export type ProtectedLocations = Readonly<{
  /** It and whatever in its folder begins with its whole name: backups, lock, temporary files, first password. */
  stateFile: string
  /** Executable, options file, certificate, key, password file, socket. */
  files: readonly string[]
  /** With everything below them: cache, and from source the project. */
  folders: readonly string[]
}>

/** What the places are at the moment. Objects and folders go by device and inode. */
type ProtectedState = {
  /** Names by the folder they lie in. */
  names: Map<string, Set<string>>
  /** The state's folder, as it was named and as it is; every name in it that begins with the state file's. */
  stateFolders: Set<string>
  statePrefixes: Set<string>
  handles: Set<string>
  /** What the way to one of ours leads through, links included. */
  ancestors: Set<string>
}

/** Milliseconds after which the places are looked up again: a renewed certificate is a new object under the same name. */
const freshness = 1000

export class ProtectedPaths {
  readonly #places: ProtectedLocations
  #known = unknown()
  #lookedUp = Number.NEGATIVE_INFINITY
  #lookingUp: Promise<void> | undefined

  static of(places: ProtectedLocations): ProtectedPaths {
    return new ProtectedPaths(places)
  }

  private constructor(places: ProtectedLocations) {
    // The process's own memory and open files, should the root be the whole machine.
    this.#places = { ...places, folders: [...places.folders, '/proc'] }
  }

  /** To be awaited before the questions below are asked; looks at the disk at most once a second. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#lookedUp < freshness) return
    this.#lookingUp ??= this.#lookUp().finally(() => {
      this.#lookingUp = undefined
    })
    await this.#lookingUp
  }

  /** Whether a name in a folder is ours, be anything there or not. */
  isProtectedName(folder: string, name: string): boolean {
    const { names, stateFolders, statePrefixes } = this.#known
    if (names.get(folder)?.has(folded(name))) return true
    return stateFolders.has(folder) && [...statePrefixes].some((prefix) => folded(name).startsWith(prefix))
  }

  /** Whether an object is ours under whatever name: a hard link, a mount. */
  isProtected(identity: string): boolean {
    return this.#known.handles.has(identity)
  }

  /** Whether one of ours lies below it, so that it must stay where it is. */
  holdsProtected(identity: string): boolean {
    return this.#known.ancestors.has(identity)
  }

  async #lookUp() {
    const known = unknown()
    const { stateFile, files, folders } = this.#places
    for (const place of [...files, ...folders]) await note(known, resolve(place))
    await noteState(known, resolve(stateFile))
    this.#known = known
    this.#lookedUp = performance.now()
  }
}

function unknown(): ProtectedState {
  return { names: new Map(), stateFolders: new Set(), statePrefixes: new Set(), handles: new Set(), ancestors: new Set() }
}

async function note(known: ProtectedState, named: string) {
  for (const place of await namesOf(named)) {
    const folder = await noteFolder(known, place)
    if (folder) known.names.set(folder, (known.names.get(folder) ?? new Set()).add(folded(basename(place))))
  }
  const handle = await ignoringErrors(stat(named, { bigint: true }))
  if (handle) known.handles.add(identityOf(handle))
}

// Not by its own inode: every save makes a new one, and ext4 gives the old number to the next upload.
async function noteState(known: ProtectedState, named: string) {
  for (const place of await namesOf(named)) {
    const folder = await noteFolder(known, place)
    if (folder) known.stateFolders.add(folder)
    known.statePrefixes.add(folded(basename(place)))
  }
}

/** A place as it was named, and where it really is when a link stands there. */
async function namesOf(named: string) {
  return new Set([named, (await ignoringErrors(realpath(named))) ?? named])
}

/** Notes all folders above a place; the identity of the one it lies in. */
async function noteFolder(known: ProtectedState, place: string) {
  for (let above = dirname(place); ; above = dirname(above)) {
    await noteAncestor(known, above)
    if (above === dirname(above)) break
  }
  const folder = await ignoringErrors(stat(dirname(place), { bigint: true }))
  return folder && identityOf(folder)
}

// Both the link and the folder it leads to: who could move the link could put a state of his own in its place.
async function noteAncestor(known: ProtectedState, folder: string) {
  for (const stats of [
    await ignoringErrors(lstat(folder, { bigint: true })),
    await ignoringErrors(stat(folder, { bigint: true })),
  ])
    if (stats) known.ancestors.add(identityOf(stats))
}

/** One form for all spellings that some file system takes for the same name. */
function folded(name: string) {
  return name.normalize('NFC').toLowerCase()
}

async function ignoringErrors<T extends BigIntStats | string>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch {
    return undefined
  }
}
