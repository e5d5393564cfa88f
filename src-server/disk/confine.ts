// The way to a file that no swap of a folder for a link can bend: component by component, each named from the open handle
// of the folder before it. The system follows no link; links are followed here, by hand, and never out of the bounds.
import * as fs from 'node:fs'
import { isAbsolute } from 'node:path'
import { promisify } from 'node:util'
import type { Admitted } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import { type Path, partsOf } from '../base/paths.ts'
import { type Bounds, holdIn, orNothing, type Spot } from './bounds.ts'
import { errnoOf } from './errno.ts'
import { below, type Held } from './held.ts'
import { followText, namesIn, pathOf } from './link-text.ts'

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
export async function atSpot<T>(bounds: Bounds, asked: Admitted, follow: boolean, use: (spot: Spot) => Promise<T>): Promise<T> {
  await bounds.ours.refresh()
  const walk = new Walk(bounds, asked)
  try {
    return await use(await walk.to(asked.path, follow))
  } finally {
    walk.letGo()
  }
}

class Walk {
  readonly #bounds: Bounds
  readonly #isBlocked: Admitted['isBlocked']
  /** The folder reached so far; undefined while a link's text leads through the host's folders, outside all bounds. */
  #at: Held | undefined
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
  #found: Spot | undefined

  constructor(bounds: Bounds, asked: Admitted) {
    this.#bounds = bounds
    this.#isBlocked = asked.isBlocked
    this.#at = bounds.root
  }

  async to(path: Path, follow: boolean): Promise<Spot> {
    this.#queue = partsOf(path)
    for (;;) {
      this.#checkEnds()
      const part = this.#queue.shift()
      if (part === undefined) return { folder: this.#here(), name: '', thing: this.#here() }
      if (++this.#steps > mostSteps) throw endless()
      if (part === '..') await this.#climb()
      else if (!this.#at) await this.#approach(part)
      else {
        const spot = await this.#step(part, follow)
        if (spot) return spot
      }
    }
  }

  letGo() {
    this.#drop(this.#found?.thing)
    this.#drop(this.#at)
  }

  #drop(held: Held | undefined) {
    if (held !== this.#bounds.root) held?.close()
  }

  #here(): Held {
    if (!this.#at) throw leaves()
    return this.#at
  }

  #arrive(found: Spot): Spot {
    this.#trail.push(found.name)
    this.#checkEnds()
    return found
  }

  /** The spot, when the path ends here. */
  async #step(part: string, follow: boolean): Promise<Spot | undefined> {
    const isLast = this.#queue.length === 0
    const found = await holdIn(this.#bounds, this.#here(), part)
    this.#found = found
    if (found.thing?.kind === 'link' && (follow || !isLast)) await this.#follow(part)
    else if (isLast) return this.#arrive(found)
    else if (found.thing?.kind === 'folder') this.#enter(found.thing, part)
    else throw new Failure('notFound')
    return undefined
  }

  #enter(folder: Held, part: string) {
    this.#found = undefined
    this.#drop(this.#at)
    this.#at = folder
    this.#trail.push(part)
    this.#recogniseRoot()
  }

  // A folder that links may lead into can have the scope below it: there the rules count again.
  #recogniseRoot() {
    if (this.#base === undefined || this.#at?.identity !== this.#bounds.root.identity) return
    this.#startAtRoot()
    this.#askAhead()
  }

  #startAtRoot() {
    this.#drop(this.#at)
    this.#at = this.#bounds.root
    this.#base = undefined
    this.#trail = []
  }

  async #follow(part: string) {
    if (++this.#links > mostLinks) throw endless()
    const text = await this.#textOf(part)
    this.#drop(this.#found?.thing)
    this.#found = undefined
    if (text === undefined) {
      this.#queue.unshift(part)
      return
    }
    this.#ends.push(this.#queue.length)
    this.#queue.unshift(...namesIn(text))
    if (isAbsolute(text)) await this.#leave([])
    else this.#askAhead()
  }

  /** Undefined when it is no link any more: whatever stands there now is looked at afresh. */
  async #textOf(part: string) {
    try {
      return await readlink(below(this.#here(), part), 'utf8')
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
    return namesIn(this.#base ?? (await this.#bounds.grip.placeOf(this.#bounds.root)))
  }

  /** Goes on with the text alone, outside: nothing there is touched. */
  async #leave(trail: string[]) {
    this.#drop(this.#at)
    this.#at = undefined
    this.#trail = trail
    await this.#recognise()
  }

  async #approach(part: string) {
    this.#trail.push(part)
    await this.#recognise()
  }

  /** Comes in again where the text meets the scope, or a folder that the administrator named. */
  async #recognise() {
    const here = this.#trail.join('/')
    this.#entrances ??= await entrancesTo(this.#bounds)
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
    this.#at = await this.#bounds.grip.hold(base)
    if (this.#at.kind !== 'folder' || this.#bounds.ours.isOurThing(this.#at.identity)) throw leaves()
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

async function entrancesTo({ root, grip, linksInto }: Bounds): Promise<Entrances> {
  const others = new Map<string, string>()
  for (const folder of linksInto) {
    const real = await orNothing(realpath(folder))
    for (const place of real === undefined ? [] : [folder, real]) others.set(namesIn(place).join('/'), real ?? folder)
  }
  return { scope: namesIn(await grip.placeOf(root)).join('/'), others }
}

function endless() {
  return new Failure('notFound', 'the link leads round in a circle')
}

function leaves() {
  return new Failure('forbidden', 'the link leads out of your files')
}
