import { posix } from 'node:path'
import { isWithin, type Path, parsePath, rootPath } from '../base/paths.ts'
import { type PlanNotes, quoted } from './plan-notes.ts'
import { cleanedPath, type RootFacts } from './root-facts.ts'

/** What an absolute scope counts from: the served root, as from 2.22 on, or the host, as before. */
export type ScopesFrom = 'root' | 'host'

type ScopeParts = Readonly<{
  facts: RootFacts
  /** Undefined until the administrator has said it. */
  scopes: ScopesFrom | undefined
  /** The root that File Browser had, such as the one in its container. */
  formerRoot: string | undefined
  notes: PlanNotes
}>

/**
 * The scope of a user below the root.
 * @param about whose it is, for notes
 * @returns undefined for what is no path
 */
export async function plannedScope(text: string, about: string, parts: ScopeParts): Promise<Path | undefined> {
  const { notes, facts } = parts
  const cleaned = cleanedPath(text)
  if (cleaned === undefined) return undefined
  if (text === '') notes.look(about, 'has no scope, and so sees all of the root')
  if (text.split('/').includes('..'))
    notes.changed(about, `the scope ${quoted(text)} is ${quoted(cleaned)}: no scope leads out of the root`)
  if (!text.startsWith('/') || cleaned === rootPath || (await facts.isFolder(cleaned))) return existing(cleaned, about, parts)
  return existing(await fromHost(cleaned, about, parts), about, parts)
}

/** Before 2.22 a scope with a slash before it was a path of the host, and nothing in the database says which it is. */
async function fromHost(cleaned: Path, about: string, { facts, scopes, formerRoot, notes }: ScopeParts): Promise<Path> {
  const below = [facts.root, formerRoot].map((root) => belowRoot(cleaned, root)).filter((path) => path !== undefined)
  const there = await firstWhere(below, (path) => facts.isFolder(path))
  if (there === undefined || scopes === 'root') return cleaned
  if (scopes === 'host') {
    notes.changed(about, `the scope ${quoted(cleaned)} is a path of the host, and becomes ${quoted(there)} below the root`)
    return there
  }
  notes.stop(
    `The scope ${quoted(cleaned)} of ${about} is no folder below the root, but counted from the host it is ${quoted(there)} there: ` +
      'add --scopes host when File Browser was older than 2.22 (absolute scopes were paths of the host then), else --scopes root',
  )
  return cleaned
}

/** A path of the host from a root; undefined outside it. */
function belowRoot(path: Path, root: string | undefined): Path | undefined {
  if (root === undefined || !posix.isAbsolute(root)) return undefined
  const folder = cleanedPath(root)
  if (folder === undefined || folder === rootPath || !isWithin(path, folder)) return undefined
  return parsePath(path.slice(folder.length))
}

async function existing(scope: Path, about: string, { facts, notes }: ScopeParts): Promise<Path> {
  if (!(await facts.isFolder(scope)))
    notes.look(about, `the folder of the scope, ${quoted(scope)}, is not there: until it is, the user sees nothing`)
  return scope
}

async function firstWhere<T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of all) if (await holds(one)) return one
  return undefined
}
