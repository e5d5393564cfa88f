// What the server has done although its answer is lost.
import type { Act } from '../../src-server/contract/history.ts'
import { actsSlice } from '../acts/acts.ts'
import { call, HttpFailure } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { isAnswerLost } from '../core/failure-reason.ts'
import { nameOf, parentOf } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'

type Moved = { from: string; to: string; item: Item }
type Listed = Pick<Item, 'name' | 'isDir' | 'size' | 'modified'>

/** What the server did for a call whose answer is lost; undefined when it did nothing. @param key what the call was sent with */
export async function actOfLost(workspace: Workspace, failure: unknown, key: string): Promise<Act | undefined> {
  if (!isAnswerLost(failure)) return undefined
  const acts = workspace.use(actsSlice)
  await acts.refreshQuietly()
  return acts.list.peek().find((act) => act.key === key && act.count > 0)
}

/** Whether a call whose answer is lost finds an entry gone. */
export async function isGone(failure: unknown, path: string, signal: AbortSignal): Promise<boolean> {
  const there = isAnswerLost(failure) ? await itemsIn(parentOf(path), signal) : undefined
  return there !== undefined && !there.some(({ name }) => name === nameOf(path))
}

/** Whether the very entry is under its new path, and nothing under the old one. @param failure what the call has thrown */
export async function isMoved(failure: unknown, { from, to, item }: Moved, signal: AbortSignal): Promise<boolean> {
  // The answer when the browser sends a rename again by itself.
  const isMissing = failure instanceof HttpFailure && failure.status === 404
  if (!isMissing && !isAnswerLost(failure)) return false
  const [target, source] = [parentOf(to), parentOf(from)]
  const there = await itemsIn(target, signal)
  const before = source === target ? there : await itemsIn(source, signal)
  const isGone = before !== undefined && !before.some(({ name }) => name === nameOf(from))
  const moved = there?.find(({ name }) => name === nameOf(to))
  return isGone && moved !== undefined && isAlike(item, moved)
}

/** Those whose folders have them no more, while there is the very entry where they were to go. @param existing what is there, by name */
export async function movedBefore(
  items: readonly Item[],
  existing: ReadonlyMap<string, Omit<Listed, 'name'>>,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const alike = items.filter((item) => {
    const there = existing.get(item.name)
    return there !== undefined && isAlike(item, there)
  })
  const moved: Item[] = []
  for (const folder of new Set(alike.map(({ path }) => parentOf(path)))) {
    const left = await itemsIn(folder, signal)
    const names = new Set(left?.map(({ name }) => name))
    if (left) moved.push(...alike.filter(({ path, name }) => parentOf(path) === folder && !names.has(name)))
  }
  return moved
}

/** Whether a path that had nothing has an empty folder, or an empty file. */
export async function isMade(path: string, isDir: boolean, signal: AbortSignal): Promise<boolean> {
  const made = await read(path, signal)
  return made?.isDir === isDir && (isDir ? made.items?.length === 0 : made.size === 0)
}

const isAlike = (item: Item, { isDir, size, modified }: Omit<Listed, 'name'>): boolean =>
  item.isDir === isDir && item.modified === modified && (isDir || item.size === size)

const itemsIn = async (folder: string, signal: AbortSignal): Promise<readonly Listed[] | undefined> =>
  (await read(folder, signal))?.items

const read = (path: string, signal: AbortSignal) =>
  call('GET /api/resources/*', { path, query: { content: 'false' }, signal }).catch(() => undefined)
