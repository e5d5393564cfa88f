import { authorize } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import { type Path, parsePath, pathBelow, rootPath } from '../base/paths.ts'
import type { Disk } from '../disk/disk.ts'
import { refuseUnreachable } from '../files/reading.ts'

/** What a link is to lead to. */
export type Located = Readonly<{ path: Path; isDir: boolean; identity: string }>

type LocateParts = Readonly<{ principal: Principal; disk: Disk; signal: AbortSignal }>

/**
 * What a path leads to, under its true path: a link to a link would show what the rules of the true path hide.
 * @param check asked about the true path, where it is another @throws Failure('notFound' | 'forbidden'), and what `check` throws
 */
export async function locate(parts: LocateParts, path: Path, check: (truePath: Path) => void): Promise<Located> {
  const { principal, disk, signal } = parts
  const entry = await disk.stat(authorize(principal, 'read', path), signal)
  refuseUnreachable(entry)
  const truePath = entry.isSymlink ? await targetOf(parts, path) : (entry.truePath ?? path)
  if (truePath !== path) check(truePath)
  const found = await disk.stat(authorize(principal, 'read', truePath), signal)
  if (found.isSymlink || found.unreachable) throw new Failure('forbidden', 'only files and folders can be shared')
  const identity = await disk.identify(authorize(principal, 'read', truePath), signal)
  return { path: truePath, isDir: found.isDir, identity }
}

async function targetOf({ principal, disk }: LocateParts, path: Path): Promise<Path> {
  const root = parsePath(await disk.hostPath(authorize(principal, 'read', rootPath)))
  const target = pathBelow(root, parsePath(await disk.hostPath(authorize(principal, 'read', path))))
  if (target === undefined) throw new Failure('forbidden', 'the link leads out of your files')
  return target
}
