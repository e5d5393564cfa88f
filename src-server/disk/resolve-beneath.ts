// Resolves a path name by name, each from the open handle of the folder before it, so that a link that replaces a folder meanwhile
// does not lead out. The system follows no link; links are followed here, and never out of the scope.
import * as fs from 'node:fs'
import { isAbsolute } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../base/failure.ts'
import { type Path, parsePath, partsOf } from '../base/paths.ts'
import {
  checkName,
  type DiskContext,
  type FoundName,
  type GrantedPath,
  ignoringNotFound,
  type Link,
  type Position,
  type ResolvedPath,
  resolveName,
  type WalkStart,
} from './disk-context.ts'
import { fileSystemAt } from './file-systems.ts'
import { textOfLink } from './open-child.ts'
import type { PathHandle } from './path-handle.ts'
import { isReservedName } from './reserved-names.ts'

/**
 * Calls `use` with the resolved path; every handle is closed afterwards.
 * Links in the path are followed. A link at its end is followed only with `follow`.
 * @throws Failure('forbidden') when the path or a link leads out of the scope, to a blocked path, or to a protected path;
 *   Failure('notFound') when a folder is missing or links form a cycle; else the system's error
 */
export async function withResolvedPath<T>(
  context: DiskContext,
  asked: GrantedPath,
  follow: boolean,
  use: (resolved: ResolvedPath) => Promise<T>,
): Promise<T> {
  return withPathWalk(context, asked, async (walk) => use(await walk.to(partsOf(asked.path), follow)))
}

/** The same, with the link when it is broken. */
export async function withPathWalk<T>(
  context: DiskContext,
  asked: GrantedPath,
  use: (walk: PathWalk) => Promise<T>,
  start?: WalkStart,
): Promise<T> {
  const walk = await startPathWalk(context, asked, start)
  try {
    return await use(walk)
  } finally {
    walk.close()
  }
}

/** A walk that the caller closes. */
export async function startPathWalk(context: DiskContext, asked: GrantedPath, start?: WalkStart): Promise<PathWalk> {
  await context.protectedPaths.refresh()
  return new PathWalk(context, asked, start)
}

/** As in the kernel: a longer chain of links counts as a loop. */
const mostLinks = 40
/** More names than any path has: ends the loop for links with many '..'. */
const mostSteps = 8192

export class PathWalk {
  readonly #context: DiskContext
  readonly #asked: GrantedPath
  readonly #start: PathHandle | undefined
  /** The folder reached so far; undefined while a link's target goes through folders of the host outside the scope. */
  #at: PathHandle | undefined
  /** Names from the base to here: none of them is a link. While outside: from the host's root. */
  #trail: string[] = []
  /** The host path of the folder that '..' cannot leave; undefined for the scope itself. */
  #base: string | undefined
  /** Names still to be walked. */
  #queue: string[] = []
  /** For each link being followed: how many names are left when its target is reached. */
  readonly #ends: number[] = []
  #entrances: Entrances | undefined
  #links = 0
  #steps = 0
  #isLinked = false
  /** The last opened object, until it is entered, followed or returned. */
  #found: FoundName | undefined
  #link: Link | undefined

  constructor(context: DiskContext, asked: GrantedPath, start?: WalkStart) {
    this.#context = context
    this.#asked = asked
    this.#start = start?.folder
    this.#at = start?.folder ?? context.root
    if (!start) return
    this.#trail = [...start.position.trail]
    this.#base = start.position.base
    this.#isLinked = start.position.isLinked
  }

  /** The link at the end of the asked path itself, once it was read. */
  get link(): Link | undefined {
    return this.#link
  }

  /** The position of the folder that was reached. */
  get position(): Position {
    return { trail: [...this.#trail], base: this.#base, isLinked: this.#isLinked }
  }

  async to(names: readonly string[], follow: boolean): Promise<ResolvedPath> {
    this.#queue = [...names]
    this.#startAtKept()
    for (;;) {
      this.#asked.signal?.throwIfAborted()
      this.#checkEnds()
      const name = this.#queue.shift()
      if (name === undefined) return this.#arrive({ folder: this.#here(), name: '', handle: this.#here() })
      if (++this.#steps > mostSteps) throw endless()
      if (name === '..') await this.#climb()
      else if (!this.#at) await this.#approach(name)
      else {
        const resolved = await this.#step(name, follow)
        if (resolved) return resolved
      }
    }
  }

  /** Keeps the folder where the walk ended for the paths below it, during a batch. @returns the same folder, to be used instead */
  async keep(folder: PathHandle): Promise<PathHandle> {
    if (this.#found?.handle === folder) this.#found = { ...this.#found, handle: await this.#kept(folder) }
    return this.#found?.handle ?? folder
  }

  close() {
    this.#drop(this.#found?.handle)
    this.#drop(this.#at)
  }

  #drop(handle: PathHandle | undefined) {
    if (handle !== this.#context.root && handle !== this.#start) handle?.close()
  }

  #here(): PathHandle {
    if (!this.#at) throw leaves()
    return this.#at
  }

  #arrive(found: FoundName): ResolvedPath {
    const top = this.#base ?? this.#context.rootPath
    const folderPath = [top === '/' && this.#trail.length > 0 ? '' : top, ...this.#trail].join('/')
    if (found.name !== '') this.#trail.push(found.name)
    this.#checkEnds()
    return { ...found, folderPath, truePath: this.#truePath(), link: this.#link }
  }

  /** The path from the scope's root without the links that were followed; undefined where none was, and outside the scope. */
  #truePath(): Path | undefined {
    if (!this.#isLinked || this.#base !== undefined) return undefined
    const path = pathOf(this.#trail)
    if (this.#asked.isBlocked(path)) throw new Failure('forbidden')
    return path
  }

  /** The result, when the path ends here. */
  async #step(name: string, follow: boolean): Promise<ResolvedPath | undefined> {
    const isLast = this.#queue.length === 0
    if (isLast && this.#asked.expectsFree) return this.#arriveUnseen(name)
    const { acceptsUnanswered, signal } = this.#asked
    const how = { signal, acceptsUnanswered: isLast && acceptsUnanswered === true }
    const found = await resolveName(this.#context, this.#here(), name, how)
    this.#found = found
    if (found.handle?.kind === 'link' && (follow || !isLast)) await this.#follow(name, found.handle)
    else if (isLast) return this.#arrive(found)
    else if (found.handle?.kind === 'folder') await this.#enter(found.handle, name)
    else this.#refuse(name)
    return undefined
  }

  #arriveUnseen(name: string): ResolvedPath {
    const folder = this.#here()
    checkName(this.#context, folder, name)
    return this.#arrive({ folder, name, handle: undefined })
  }

  /** Ends the walk: a name is missing. What can never be there is told now: else folders would be made for it in vain. */
  #refuse(name: string): never {
    this.#queue.unshift(name)
    if (this.#isLinked) this.#askAhead()
    if (this.#queue.some(isReservedName)) throw new Failure('forbidden')
    throw new Failure('notFound')
  }

  async #enter(folder: PathHandle, name: string) {
    this.#found = undefined
    this.#drop(this.#at)
    this.#at = folder
    this.#trail.push(name)
    this.#at = await this.#kept(folder)
    this.#recogniseRoot()
  }

  // A folder that is reached through a link is not kept, because its path is not its true path.
  async #kept(folder: PathHandle): Promise<PathHandle> {
    return (!this.#isLinked && (await this.#context.kept?.keep(this.#trail, folder))) || folder
  }

  /** Starts at the nearest folder that is kept open, if there is one. */
  #startAtKept() {
    const kept = this.#start ? undefined : this.#context.kept?.nearestAbove(this.#asked.path)
    if (!kept) return
    this.#at = kept.handle
    this.#trail = kept.names
    this.#queue.splice(0, kept.names.length)
  }

  // The scope may be below a folder that links may lead into: there the rules apply again.
  #recogniseRoot() {
    if (this.#base === undefined || this.#at?.identity !== this.#context.root.identity) return
    this.#startAtRoot()
    this.#askAhead()
  }

  #startAtRoot() {
    this.#drop(this.#at)
    this.#at = this.#context.root
    this.#base = undefined
    this.#trail = []
  }

  async #follow(name: string, { stats }: PathHandle) {
    if (++this.#links > mostLinks) throw endless()
    if (this.#queue.length === 0 && this.#ends.length === 0) this.#link = { stats, truePath: this.#placeOf(name) }
    const text = await textOfLink(this.#here(), name, this.#asked.signal)
    this.#drop(this.#found?.handle)
    this.#found = undefined
    if (text === undefined) {
      this.#link = undefined
      this.#queue.unshift(name)
      return
    }
    this.#isLinked = true
    this.#ends.push(this.#queue.length)
    this.#queue.unshift(...namesIn(text))
    if (isAbsolute(text)) await this.#leave([])
    else this.#askAhead()
  }

  /** The true path of a link itself. */
  #placeOf(name: string): Path | undefined {
    this.#trail.push(name)
    try {
      return this.#truePath()
    } finally {
      this.#trail.pop()
    }
  }

  async #climb() {
    if (!this.#at) return this.#leave(this.#trail.slice(0, -1))
    if (this.#trail.pop() === undefined) return this.#leave((await this.#placeOfBase()).slice(0, -1))
    // Not by the handle of the folder before, which may have been moved: the names are resolved again from the base.
    this.#queue.unshift(...this.#trail)
    if (this.#base === undefined) this.#startAtRoot()
    else await this.#startAt(this.#base)
  }

  async #placeOfBase() {
    return namesIn(this.#base ?? (await this.#context.strategy.hostPathOf(this.#context.root)))
  }

  /** Continues with the names of the link's target alone: nothing outside the scope is opened. */
  async #leave(trail: string[]) {
    this.#drop(this.#at)
    this.#at = undefined
    this.#trail = trail
    await this.#recognise()
  }

  async #approach(name: string) {
    this.#trail.push(name)
    await this.#recognise()
  }

  /** Enters the scope again, or a folder that the administrator allows, when the target reaches one. */
  async #recognise() {
    const here = this.#trail.join('/')
    this.#entrances ??= await entrancesTo(this.#context)
    if (here === this.#entrances.scope) {
      this.#startAtRoot()
      this.#askAhead()
    } else {
      const folder = this.#entrances.others.get(here)
      if (folder !== undefined) await this.#startAt(folder)
    }
  }

  async #startAt(base: string) {
    this.#drop(this.#at)
    this.#at = undefined
    const { calls } = fileSystemAt(base)
    this.#at = await calls.read(() => this.#context.strategy.openPath(base), this.#asked.signal)
    if (this.#at.kind !== 'folder' || this.#context.protectedPaths.isProtected(this.#at.identity)) throw leaves()
    this.#base = base
    this.#trail = []
    this.#recogniseRoot()
  }

  /** Checks the rules for the remaining names before anything there is opened, so that nothing about a blocked path leaks. */
  #askAhead() {
    if (this.#base !== undefined || !this.#at) return
    for (const end of [...this.#ends, 0]) {
      const target = followText(this.#trail, this.#queue.slice(0, this.#queue.length - end))
      if (target && this.#asked.isBlocked(target)) throw new Failure('forbidden')
    }
  }

  /** Checks the rules for the true path of each link's target, because its text alone may name a path through other links. */
  #checkEnds() {
    for (let end = this.#ends.at(-1); end !== undefined && end >= this.#queue.length; end = this.#ends.at(-1)) {
      this.#ends.pop()
      if (!this.#at) throw leaves()
      if (this.#base === undefined && this.#asked.isBlocked(pathOf(this.#trail))) throw new Failure('forbidden')
    }
  }
}

function endless() {
  return new Failure('notFound', 'the link leads round in a circle')
}

function leaves() {
  return new Failure('forbidden', 'the link leads out of your files')
}

const realpath = promisify(fs.realpath)

/** The host path of the scope and of each folder that links may lead into: the configured and the true path → the true path. */
type Entrances = { scope: string; others: Map<string, string> }

async function entrancesTo({ root, strategy, linksInto }: DiskContext): Promise<Entrances> {
  const others = new Map<string, string>()
  for (const folder of linksInto) {
    const real = await ignoringNotFound(realpath(folder))
    for (const path of real === undefined ? [] : [folder, real]) others.set(namesIn(path).join('/'), real ?? folder)
  }
  return { scope: namesIn(await strategy.hostPathOf(root)).join('/'), others }
}

/** The names in a link's text or in a path of the host, '..' among them. */
function namesIn(text: string): string[] {
  const parts = text.split(process.platform === 'win32' ? /[\\/]/ : '/')
  return parts.filter((part) => part !== '' && part !== '.')
}

/** @throws Failure('invalid') for a name or a path that is too long */
function pathOf(names: readonly string[]): Path {
  return parsePath(names.join('/'))
}

/** Where names lead from a folder; undefined for what leaves the root. Each '..' removes one name: whether that is a link is not known. */
function followText(trail: readonly string[], names: readonly string[]): Path | undefined {
  const resolved = [...trail]
  for (const name of names) {
    if (name === '..' && resolved.pop() === undefined) return undefined
    if (name !== '..') resolved.push(name)
  }
  return pathOf(resolved)
}
