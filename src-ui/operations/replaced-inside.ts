import { call } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { parentOf, pathIn } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import { ExistingNames } from './existing-names.ts'

/** The files that a merge replaces: those that both folders contain. */
export type Replaced = {
  /** The first of them, relative to the target folder: `trip/day 1/a.jpg`. */
  names: readonly string[]
  /** How many were found. */
  count: number
  /** Whether all folders were read; if not, there may be more. */
  isComplete: boolean
}

/** The maximum number of folders that are read before the question, for all conflicts together. */
export const foldersLookedInto = 100
/** The maximum number of files that are named. */
export const namedReplaced = 5

/** Finds the files that would be replaced when folders are merged into folders of the same name in `to`. */
export async function findReplaced(
  workspace: Workspace,
  merged: readonly Item[],
  to: string,
): Promise<ReadonlyMap<Item, Replaced>> {
  const existing = new ExistingNames(workspace, to)
  const budget = { folders: foldersLookedInto }
  const found = new Map<Item, Replaced>()
  for (const item of merged) found.set(item, await replacedIn(workspace, { item, to, existing, budget }))
  return found
}

type Search = { item: Item; to: string; existing: ExistingNames; budget: { folders: number } }

async function replacedIn(workspace: Workspace, { item, to, existing, budget }: Search): Promise<Replaced> {
  const names: string[] = []
  let count = 0
  const folders = [item.path]
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    budget.folders -= 1
    const items = budget.folders < 0 ? undefined : await itemsIn(workspace, folder)
    if (!items) return { names, count, isComplete: false }
    const targets = new Map(items.map((one) => [pathIn(to, relativeTo(parentOf(item.path), one.path)), one]))
    for (const [path, { isDir }] of await existing.at([...targets.keys()])) {
      const one = targets.get(path)
      // The server never replaces a file by a folder or a folder by a file.
      if (!one || one.isDir !== isDir) continue
      if (isDir) folders.push(one.path)
      else count += 1
      if (!isDir && names.length < namedReplaced) names.push(relativeTo(to, path))
    }
  }
  return { names, count, isComplete: true }
}

/** @returns undefined when the folder cannot be read */
async function itemsIn(workspace: Workspace, path: string): Promise<readonly Pick<Item, 'path' | 'isDir'>[] | undefined> {
  const resource = await call('GET /api/resources/*', { path, signal: workspace.signal }).catch(() => undefined)
  return resource && (resource.items ?? [])
}

const relativeTo = (folder: string, path: string): string => path.slice(folder === '/' ? 1 : folder.length + 1)
