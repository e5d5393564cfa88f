import { childOf, nameOf, type Path, parentOf } from '../../src-server/base/paths.ts'
import type { CountHow } from '../../src-server/disk/disk.ts'
import type { IsBlocked } from './memory-paths.ts'
import type { Thing } from './memory-things.ts'

type Parent = Readonly<{
  path: Path
  truePath: Path
  isBlocked: IsBlocked
  things: ReadonlyMap<string, Thing>
}>

/** The things in a folder, with their true paths. */
export function childrenIn(things: ReadonlyMap<string, Thing>, folder: Path): [Path, Thing][] {
  return [...things].filter(([path]) => path !== '/' && parentOf(path as Path) === folder) as [Path, Thing][]
}

/** Counts the entries of folders in memory, as `Disk.countItems` says. */
export function countThings({ names, most, onCounted }: CountHow, { path, truePath, isBlocked, things }: Parent): void {
  for (const name of names) {
    const [asked, reached] = [childOf(path, name), childOf(truePath, name)]
    if (isBlocked(asked) || isBlocked(reached) || things.get(reached)?.kind !== 'folder') continue
    const shown = childrenIn(things, reached).filter(([child]) => !isBlocked(child) && !isBlocked(childOf(asked, nameOf(child))))
    onCounted(name, { items: Math.min(shown.length, most), hasMore: shown.length > most })
  }
}
