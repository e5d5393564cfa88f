// Giving a file a name takes more than one call of the system. Two requests that do so to one name at the same time wait for
// each other: else a move could take away, with the name that it leaves, what another had just put there.
import { foldedName } from './name-aliases.ts'
import type { PathHandle } from './path-handle.ts'

/** The end of the last work on each name. */
const lines = new Map<string, Promise<void>>()

/** Does the work alone with the names. It must be short and must not wait for a client. */
export async function withNames<T>(
  names: readonly Readonly<{ folder: PathHandle; name: string }>[],
  work: () => Promise<T>,
): Promise<T> {
  // In one order for all, so that no two wait for each other. As blind to case and to forms of letters as a file system may be.
  const keys = [...new Set(names.map(({ folder, name }) => `${folder.identity}/${foldedName(name)}`))].sort()
  return keys.reduceRight<() => Promise<T>>((next, key) => () => withKey(key, next), work)()
}

async function withKey<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lines.get(key)
  const done = Promise.withResolvers<void>()
  lines.set(key, done.promise)
  try {
    await before
    return await work()
  } finally {
    if (lines.get(key) === done.promise) lines.delete(key)
    done.resolve()
  }
}
