// Naming a file takes more than one system call. Two requests for one name wait for each other: else a move could remove, with its
// old name, a file that another request has just put there.
import { foldedName } from '../base/folded-name.ts'
import type { PathHandle } from './path-handle.ts'

/** The end of the last work on each name. */
const lines = new Map<string, Promise<void>>()

/** Does the work with a lock on the names. It must be short and must not wait for a client. */
export async function withNames<T>(
  names: readonly Readonly<{ folder: PathHandle; name: string }>[],
  work: () => Promise<T>,
): Promise<T> {
  // Locked in one order, which avoids deadlocks. Names that a case-insensitive or form-insensitive file system treats as equal are one.
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
