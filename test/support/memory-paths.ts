// Resolves the paths of the disk in memory.
import { Failure } from '../../src-server/base/failure.ts'
import { nameOf, type Path, parentOf, parsePath, partsOf } from '../../src-server/base/paths.ts'
import { found, type Led, resolveText, type Thing } from './memory-things.ts'

export type IsBlocked = (path: Path) => boolean

export class MemoryPaths {
  readonly #things: ReadonlyMap<string, Thing>

  constructor(things: ReadonlyMap<string, Thing>) {
    this.#things = things
  }

  checkParent(path: Path) {
    if (this.#things.get(parentOf(path))?.kind !== 'folder') throw new Failure('notFound')
  }

  /** The path that an existing path leads to. */
  existing({ path, isBlocked }: Readonly<{ path: Path; isBlocked: IsBlocked }>): Path {
    const { path: truePath, thing } = this.target(path, isBlocked)
    found(thing)
    return truePath
  }

  identity({ path, isBlocked }: Readonly<{ path: Path; isBlocked: IsBlocked }>): string {
    return `${found(this.#things.get(this.reach(path, isBlocked))).id}`
  }

  /** The true path of a path whose folders may be links; its last name is not followed. */
  reach(path: Path, isBlocked: IsBlocked): Path {
    if (path === '/') return path
    const folder = this.target(parentOf(path), isBlocked)
    if (!folder.thing) return path
    const truePath = parsePath(`${folder.path}/${nameOf(path)}`)
    if (truePath !== path && isBlocked(truePath)) throw new Failure('forbidden')
    return truePath
  }

  /** @throws Failure when a link of the path is broken, or leads where the principal may not go */
  target(path: Path, isBlocked: IsBlocked): { path: Path; thing: Thing | undefined } {
    const led = this.follow(path, isBlocked)
    if (!('unreachable' in led)) return led
    throw new Failure(led.unreachable === 'broken' ? 'notFound' : 'forbidden')
  }

  followToWrite(truePath: Path, isBlocked: IsBlocked) {
    const led = this.follow(truePath, isBlocked)
    if (!('unreachable' in led)) return led
    throw new Failure(led.unreachable === 'broken' ? 'conflict' : 'forbidden')
  }

  follow(path: Path, isBlocked: IsBlocked, hops = 0): Led {
    let truePath = '/' as Path
    for (const part of partsOf(path)) {
      truePath = parsePath(`${truePath}/${part}`)
      const thing = this.#things.get(truePath)
      if (thing?.kind !== 'link') continue
      if (hops === 40) return { unreachable: 'broken' }
      const text = resolveText(parentOf(truePath), thing.target)
      if (text === undefined || isBlocked(text)) return { unreachable: 'outside' }
      const led = this.follow(text, isBlocked, hops + 1)
      if ('unreachable' in led) return led
      if (!led.thing) return { unreachable: 'broken' }
      if (isBlocked(led.path)) return { unreachable: 'outside' }
      truePath = led.path
    }
    if (truePath !== path && isBlocked(truePath)) return { unreachable: 'outside' }
    return { path: truePath, thing: this.#things.get(truePath) }
  }
}
