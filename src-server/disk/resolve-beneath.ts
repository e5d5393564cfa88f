// The way to a file that no swap of a folder for a link can bend: component by component, each named from the open handle
// of the folder before it. The system follows no link; links are followed here, by hand, and never out of the bounds.
import * as fs from 'node:fs'
import { isAbsolute } from 'node:path'
import { promisify } from 'node:util'
import type { Grant } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { type Path, partsOf } from '../base/paths.ts'
import { type DiskContext, ignoringNotFound, type ResolvedPath, resolveName } from './disk-context.ts'
import { errnoOf } from './errno.ts'
import { followText, namesIn, pathOf } from './link-target.ts'
import { below, type PathHandle } from './path-handle.ts'

/** As the kernel: a longer chain of links is taken for a loop. */
const mostLinks = 40
/** More names than any path has, so that '..' in links cannot keep us walking. */
const mostSteps = 8192

const readlink = promisify(fs.readlink)
const realpath = promisify(fs.realpath)

/**
 * Calls `use` with the spot that a path names; what is held there is let go afterwards.
 * Links on the way are followed. A link at the end is itself the spot, unless `follow` asks for what it leads to.
 * @throws Failure('forbidden') where the path or a link leads out of the bounds, to what the rules block, or to a file of ours;
 *   Failure('notFound') when a folder on the way is missing or links run in a circle; else the system's error
 */
export async function withResolvedPath<T>(
  context: DiskContext,
  asked: Grant,
  follow: boolean,
  use: (resolved: ResolvedPath) => Promise<T>,
): Promise<T> {
  await context.protectedPaths.refresh()
  const walk = new PathWalk(context, asked)
  try {
    return await use(await walk.to(asked.path, follow))
  } finally {
    walk.close()
  }
}

class PathWalk {
  readonly #context: DiskContext
  readonly #isBlocked: Grant['isBlocked']
  /** The folder reached so far; undefined while a link's text leads through the host's folders, outside all bounds. */
  #at: PathHandle | undefined
  /** Names from the base to here: none of them is a link. While outside: from the host's root. */
  #trail: string[] = []
  /** The folder that '..' cannot climb out of, as the host names it; undefined for the scope itself. */
  #base: string | undefined
  /** Names still to be walked. */
  #queue: string[] = []
  /** For each link being followed: how many names are left when its target is reached. */
  readonly #ends: number[] = []
  #entrances: Entrances | undefined
  #links = 0
  #steps = 0
  /** What was found last, until it is entered, followed or handed over. */
  #found: ResolvedPath | undefined

  constructor(context: DiskContext, asked: Grant) {
    this.#context = context
    this.#isBlocked = asked.isBlocked
    this.#at = context.root
  }

  async to(path: Path, follow: boolean): Promise<ResolvedPath> {
    this.#queue = partsOf(path)
    this.#startAtKept(path)
    for (;;) {
      this.#checkEnds()
      const temporary = this.#queue.shift()
      if (temporary === undefined) return { folder: this.#here(), name: '', handle: this.#here() }
      if (++this.#steps > mostSteps) throw endless()
      if (temporary === '..') await this.#climb()
      else if (!this.#at) await this.#approach(temporary)
      else {
        const resolved = await this.#step(temporary, follow)
        if (resolved) return resolved
      }
    }
  }

  close() {
    this.#drop(this.#found?.handle)
    this.#drop(this.#at)
  }

  #drop(handle: PathHandle | undefined) {
    if (handle !== this.#context.root) handle?.close()
  }

  #here(): PathHandle {
    if (!this.#at) throw leaves()
    return this.#at
  }

  #arrive(found: ResolvedPath): ResolvedPath {
    this.#trail.push(found.name)
    this.#checkEnds()
    return found
  }

  /** The spot, when the path ends here. */
  async #step(temporary: string, follow: boolean): Promise<ResolvedPath | undefined> {
    const isLast = this.#queue.length === 0
    const found = await resolveName(this.#context, this.#here(), temporary)
    this.#found = found
    if (found.handle?.kind === 'link' && (follow || !isLast)) await this.#follow(temporary)
    else if (isLast) return this.#arrive(found)
    else if (found.handle?.kind === 'folder') await this.#enter(found.handle, temporary)
    else throw new Failure('notFound')
    return undefined
  }

  async #enter(folder: PathHandle, temporary: string) {
    this.#found = undefined
    this.#drop(this.#at)
    this.#at = folder
    this.#trail.push(temporary)
    // What is reached through a link is not kept: the text of its path is not where it is.
    if (this.#links === 0 && this.#context.kept) this.#at = await this.#context.kept.keep(this.#trail, folder)
    this.#recogniseRoot()
  }

  #startAtKept(path: Path) {
    const start = this.#context.kept?.nearestAbove(path)
    if (!start) return
    this.#at = start.handle
    this.#trail = start.names
    this.#queue.splice(0, start.names.length)
  }

  // A folder that links may lead into can have the scope below it: there the rules count again.
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

  async #follow(temporary: string) {
    if (++this.#links > mostLinks) throw endless()
    const text = await this.#textOf(temporary)
    this.#drop(this.#found?.handle)
    this.#found = undefined
    if (text === undefined) {
      this.#queue.unshift(temporary)
      return
    }
    this.#ends.push(this.#queue.length)
    this.#queue.unshift(...namesIn(text))
    if (isAbsolute(text)) await this.#leave([])
    else this.#askAhead()
  }

  /** Undefined when it is no link any more: whatever stands there now is looked at afresh. */
  async #textOf(temporary: string) {
    try {
      return await readlink(below(this.#here(), temporary), 'utf8')
    } catch (error) {
      if (errnoOf(error) === 'EINVAL') return undefined
      throw error
    }
  }

  async #climb() {
    if (!this.#at) return this.#leave(this.#trail.slice(0, -1))
    if (this.#trail.pop() === undefined) return this.#leave((await this.#placeOfBase()).slice(0, -1))
    // Not by the handle of the folder before: it may lie elsewhere by now. The names are walked again from the base.
    this.#queue.unshift(...this.#trail)
    if (this.#base === undefined) this.#startAtRoot()
    else await this.#startAt(this.#base)
  }

  async #placeOfBase() {
    return namesIn(this.#base ?? (await this.#context.strategy.hostPathOf(this.#context.root)))
  }

  /** Goes on with the text alone, outside: nothing there is touched. */
  async #leave(trail: string[]) {
    this.#drop(this.#at)
    this.#at = undefined
    this.#trail = trail
    await this.#recognise()
  }

  async #approach(temporary: string) {
    this.#trail.push(temporary)
    await this.#recognise()
  }

  /** Comes in again where the text meets the scope, or a folder that the administrator named. */
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
    this.#at = await this.#context.strategy.openPath(base)
    if (this.#at.kind !== 'folder' || this.#context.protectedPaths.isProtected(this.#at.identity)) throw leaves()
    this.#base = base
    this.#trail = []
    this.#recogniseRoot()
  }

  /** Whether the rules block where a link's text leads, before anything there is touched: nothing about it may leak. */
  #askAhead() {
    if (this.#base !== undefined || !this.#at) return
    for (const end of [...this.#ends, 0]) {
      const place = followText(this.#trail, this.#queue.slice(0, this.#queue.length - end))
      if (place && this.#isBlocked(place)) throw new Failure('forbidden')
    }
  }

  /** Asks the rules about each place that a link was found to lead to: not its text counts in the end, but where it led. */
  #checkEnds() {
    for (let end = this.#ends.at(-1); end !== undefined && end >= this.#queue.length; end = this.#ends.at(-1)) {
      this.#ends.pop()
      if (!this.#at) throw leaves()
      if (this.#base === undefined && this.#isBlocked(pathOf(this.#trail))) throw new Failure('forbidden')
    }
  }
}

/** Where a link's text comes in again: the scope, and each folder of the administrator's as named and as it is. */
type Entrances = { scope: string; others: Map<string, string> }

async function entrancesTo({ root, strategy, linksInto }: DiskContext): Promise<Entrances> {
  const others = new Map<string, string>()
  for (const folder of linksInto) {
    const real = await ignoringNotFound(realpath(folder))
    for (const place of real === undefined ? [] : [folder, real]) others.set(namesIn(place).join('/'), real ?? folder)
  }
  return { scope: namesIn(await strategy.hostPathOf(root)).join('/'), others }
}

function endless() {
  return new Failure('notFound', 'the link leads round in a circle')
}

function leaves() {
  return new Failure('forbidden', 'the link leads out of your files')
}
