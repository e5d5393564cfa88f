import { posix } from 'node:path'
import { type Path, pathBelow, rootPath } from '../base/paths.ts'
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

/** The scope below the root, or why there is none: what follows it in a sentence. */
type PlannedScope = Readonly<{ scope: Path } | { scope?: undefined; problem: string }>

/**
 * The scope of a user below the root.
 * @param about whose it is, for notes
 */
export async function plannedScope(text: string, about: string, parts: ScopeParts): Promise<PlannedScope> {
  const { notes, facts, scopes } = parts
  const cleaned = cleanedPath(text)
  if (cleaned === undefined) return { problem: 'is no path' }
  if (text === '') notes.look(about, 'has no scope, and so sees all of the root')
  if (text.split('/').includes('..'))
    notes.changed(about, `the scope ${quoted(text)} is ${quoted(cleaned)}: no scope leads out of the root`)
  if (!text.startsWith('/')) return existing(cleaned, about, parts)
  if (scopes === 'host') return fromHost(cleaned, about, parts)
  if (scopes === undefined && cleaned !== rootPath && !(await facts.isFolder(cleaned))) await ask(cleaned, about, parts)
  return existing(cleaned, about, parts)
}

/** Before 2.22 a scope with a slash before it was a path of the host, and nothing in the database says which it is. */
async function ask(cleaned: Path, about: string, parts: ScopeParts): Promise<void> {
  const there = await firstWhere(belowRoots(cleaned, parts), (path) => parts.facts.isFolder(path))
  if (there === undefined) return
  parts.notes.stop(
    `The scope ${quoted(cleaned)} of ${about} is no folder below the root, but counted from the host it is ${quoted(there)} there: ` +
      'add --scopes host when File Browser was older than 2.22 (absolute scopes were paths of the host then), else --scopes root',
  )
}

/** One outside the root is not taken for a path below it: somebody could make a folder there that was never meant. */
async function fromHost(cleaned: Path, about: string, parts: ScopeParts): Promise<PlannedScope> {
  const below = belowRoots(cleaned, parts)
  const there = (await firstWhere(below, (path) => parts.facts.isFolder(path))) ?? below[0]
  if (there === undefined) return { problem: 'is a path of the host outside the root' }
  parts.notes.changed(about, `the scope ${quoted(cleaned)} is a path of the host, and becomes ${quoted(there)} below the root`)
  return existing(there, about, parts)
}

/** What a path of the host is below the root that File Browser had, and below the one that is served from now on. */
const belowRoots = (path: Path, { facts, formerRoot }: ScopeParts): Path[] =>
  [formerRoot, facts.root].map((root) => belowRoot(path, root)).filter((below) => below !== undefined)

/** A path of the host from a root; undefined outside it. */
function belowRoot(path: Path, root: string | undefined): Path | undefined {
  if (root === undefined || !posix.isAbsolute(root)) return undefined
  const folder = cleanedPath(root)
  return folder === undefined ? undefined : pathBelow(folder, path)
}

async function existing(scope: Path, about: string, { facts, notes }: ScopeParts): Promise<PlannedScope> {
  if (!(await facts.isFolder(scope)))
    notes.look(about, `the folder of the scope, ${quoted(scope)}, is not there: until it is, the user sees nothing`)
  return { scope }
}

async function firstWhere<T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of all) if (await holds(one)) return one
  return undefined
}
