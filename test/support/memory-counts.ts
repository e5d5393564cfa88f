import { Failure } from '../../src-server/base/failure.ts'
import { childOf, nameOf, type Path, parentOf } from '../../src-server/base/paths.ts'
import type { CountHow } from '../../src-server/disk/disk.ts'
import type { IsBlocked, MemoryPaths } from './memory-paths.ts'
import { found, type Thing } from './memory-things.ts'

type Parent = Readonly<{
  path: Path
  paths: MemoryPaths
  isBlocked: IsBlocked
  things: ReadonlyMap<string, Thing>
}>

/** The things in a folder, with their true paths. */
export function childrenIn(things: ReadonlyMap<string, Thing>, folder: Path): [Path, Thing][] {
  return [...things].filter(([path]) => path !== '/' && parentOf(path as Path) === folder) as [Path, Thing][]
}

/** Counts the entries of folders in memory, as `Disk.countItems` says. */
export function countThings({ names, most, onCounted, signal }: CountHow, { path, paths, isBlocked, things }: Parent): void {
  signal.throwIfAborted()
  const target = paths.target(path, isBlocked)
  if (found(target.thing).kind !== 'folder') throw new Failure('invalid', 'not a folder')
  for (const name of names) {
    const [asked, reached] = [childOf(path, name), childOf(target.path, name)]
    if (isBlocked(asked) || isBlocked(reached) || things.get(reached)?.kind !== 'folder') continue
    const shown = childrenIn(things, reached).filter(([child]) => !isBlocked(child) && !isBlocked(childOf(asked, nameOf(child))))
    onCounted(name, { items: Math.min(shown.length, most), hasMore: shown.length > most })
  }
}
