// Resolving a path for one piece of work.
import { partsOf } from '../base/paths.ts'
import type { Asked, DiskContext, ResolvedPath } from './disk-context.ts'
import { PathWalk, type WalkStart } from './path-walk.ts'

/**
 * Calls `use` with what a path names; every handle is closed afterwards.
 * Links on the way are followed. A link at the end is itself what the path names, unless `follow` asks for what it leads to.
 * @throws Failure('forbidden') where the path or a link leads out of the scope, to what the rules block, or to a protected path;
 *   Failure('notFound') when a folder on the way is missing or links run in a circle; else the system's error
 */
export async function withResolvedPath<T>(
  context: DiskContext,
  asked: Asked,
  follow: boolean,
  use: (resolved: ResolvedPath) => Promise<T>,
): Promise<T> {
  return withPathWalk(context, asked, async (walk) => use(await walk.to(partsOf(asked.path), follow)))
}

/** The same for whoever has to know of a link also when it leads nowhere. */
export async function withPathWalk<T>(
  context: DiskContext,
  asked: Asked,
  use: (walk: PathWalk) => Promise<T>,
  start?: WalkStart,
): Promise<T> {
  await context.protectedPaths.refresh()
  const walk = new PathWalk(context, asked, start)
  try {
    return await use(walk)
  } finally {
    walk.close()
  }
}
