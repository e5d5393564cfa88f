// Resolves a path for one piece of work.
import { partsOf } from '../base/paths.ts'
import type { Asked, DiskContext, ResolvedPath, WalkStart } from './disk-context.ts'
import { PathWalk } from './path-walk.ts'

/**
 * Calls `use` with the resolved path; every handle is closed afterwards.
 * Links in the path are followed. A link at its end is followed only with `follow`.
 * @throws Failure('forbidden') when the path or a link leads out of the scope, to a blocked path, or to a protected path;
 *   Failure('notFound') when a folder is missing or links form a cycle; else the system's error
 */
export async function withResolvedPath<T>(
  context: DiskContext,
  asked: Asked,
  follow: boolean,
  use: (resolved: ResolvedPath) => Promise<T>,
): Promise<T> {
  return withPathWalk(context, asked, async (walk) => use(await walk.to(partsOf(asked.path), follow)))
}

/** The same, with the link when it is broken. */
export async function withPathWalk<T>(
  context: DiskContext,
  asked: Asked,
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
export async function startPathWalk(context: DiskContext, asked: Asked, start?: WalkStart): Promise<PathWalk> {
  await context.protectedPaths.refresh()
  return new PathWalk(context, asked, start)
}
