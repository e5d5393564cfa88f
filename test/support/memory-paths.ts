// Where the paths of the disk in memory lead.
import { Failure } from '../../src-server/base/failure.ts'
import { nameOf, type Path, parentOf, parsePath, partsOf } from '../../src-server/base/paths.ts'
import { type Led, resolveText, type Thing } from './memory-things.ts'

export type IsBlocked = (path: Path) => boolean

export class MemoryPaths {
  readonly #things: ReadonlyMap<string, Thing>

  constructor(things: ReadonlyMap<string, Thing>) {
    this.#things = things
  }

  checkParent(path: Path) {
    if (this.#things.get(parentOf(path))?.kind !== 'folder') throw new Failure('notFound')
  }

  /** The place of a path whose folders may be links; its last name is left as it is. */
  reach(path: Path, isBlocked: IsBlocked): Path {
    if (path === '/') return path
    const folder = this.target(parentOf(path), isBlocked)
    if (!folder.thing) return path
    const place = parsePath(`${folder.path}/${nameOf(path)}`)
    if (place !== path && isBlocked(place)) throw new Failure('forbidden')
    return place
  }

  /** @throws Failure when a link on the way leads nowhere or where the visitor may not go */
  target(path: Path, isBlocked: IsBlocked): { path: Path; thing: Thing | undefined } {
    const led = this.follow(path, isBlocked)
    if (!('unreachable' in led)) return led
    throw new Failure(led.unreachable === 'broken' ? 'notFound' : 'forbidden')
  }

  followToWrite(place: Path, isBlocked: IsBlocked) {
    const led = this.follow(place, isBlocked)
    if (!('unreachable' in led)) return led
    throw new Failure(led.unreachable === 'broken' ? 'conflict' : 'forbidden')
  }

  follow(path: Path, isBlocked: IsBlocked, hops = 0): Led {
    let place = '/' as Path
    for (const part of partsOf(path)) {
      place = parsePath(`${place}/${part}`)
      const thing = this.#things.get(place)
      if (thing?.kind !== 'link') continue
      if (hops === 40) return { unreachable: 'broken' }
      const text = resolveText(parentOf(place), thing.target)
      if (text === undefined || isBlocked(text)) return { unreachable: 'outside' }
      const led = this.follow(text, isBlocked, hops + 1)
      if ('unreachable' in led) return led
      if (!led.thing) return { unreachable: 'broken' }
      if (isBlocked(led.path)) return { unreachable: 'outside' }
      place = led.path
    }
    if (place !== path && isBlocked(place)) return { unreachable: 'outside' }
    return { path: place, thing: this.#things.get(place) }
  }
}
