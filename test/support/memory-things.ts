// The files of the disk in memory, and the entries that it reports.
import { Failure } from '../../src-server/base/failure.ts'
import { nameOf, type Path, parentOf, parsePath, partsOf } from '../../src-server/base/paths.ts'
import type { Entry, Unreachable } from '../../src-server/disk/disk.ts'

export type Thing = Readonly<{ id: number; modified: bigint; mode: number }> &
  (Readonly<{ kind: 'file'; bytes: Uint8Array }> | Readonly<{ kind: 'folder' }> | Readonly<{ kind: 'link'; target: string }>)
/** The result of following the links of a path. */
export type Led = { path: Path; thing: Thing | undefined } | { unreachable: Unreachable }

/** Resolves a link target; undefined when it leaves the root: an absolute target, or more '..' than folders. */
export function resolveText(folder: Path, target: string): Path | undefined {
  if (target.startsWith('/')) return undefined
  const parts = partsOf(folder)
  for (const part of target.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return parsePath(parts.join('/'))
}

export function found(thing: Thing | undefined): Thing {
  if (!thing) throw new Failure('notFound')
  return thing
}

export function versionOf(thing: Thing | undefined): string {
  return `${thing?.id}`
}

export function modeOf(old: Thing | undefined) {
  return old && { mode: old.mode }
}

/** @param truePath the true path */
export function entryOf(path: Path, truePath: Path, thing: Thing, led: Led): Entry {
  const lost = thing.kind === 'link' && 'unreachable' in led ? led.unreachable : undefined
  const shown = thing.kind === 'link' && 'thing' in led && led.thing ? led.thing : thing
  return {
    name: nameOf(path),
    path,
    ...(truePath !== path && { truePath: truePath }),
    isDir: shown.kind === 'folder',
    isSymlink: thing.kind === 'link',
    ...(lost && { unreachable: lost }),
    size: shown.kind === 'file' ? shown.bytes.length : shown.kind === 'folder' ? 4096 : shown.target.length,
    modified: shown.modified,
    mode: shown.mode,
    version: versionOf(shown),
  }
}

/** The things in a folder, with their true paths. */
export function childrenIn(things: ReadonlyMap<string, Thing>, folder: Path): [Path, Thing][] {
  return [...things].filter(([path]) => path !== '/' && parentOf(path as Path) === folder) as [Path, Thing][]
}
