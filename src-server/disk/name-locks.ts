// Naming a file takes more than one system call. Two requests for one name wait for each other: else a move could remove, with its
// old name, a file that another request has just put there.
import { foldedName } from '../base/folded-name.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { PathHandle } from './path-handle.ts'

const queue = new SerialQueue()

/** Does the work with a lock on the names. It must be short and must not wait for a client. */
export async function withNames<T>(
  names: readonly Readonly<{ folder: PathHandle; name: string }>[],
  work: () => Promise<T>,
): Promise<T> {
  // Locked in one order, which avoids deadlocks. Names that a case-insensitive or form-insensitive file system treats as equal are one.
  const keys = [...new Set(names.map(({ folder, name }) => `${folder.identity}/${foldedName(name)}`))].sort()
  return keys.reduceRight<() => Promise<T>>((next, key) => () => queue.run(next, key), work)()
}
