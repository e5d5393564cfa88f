// Fails when package-lock.json cannot be installed on a clean machine. When the registry lacks an optional package for another
// system, npm silently leaves it out of the lock file, and every later `npm ci` fails.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Entry = { version?: string; resolved?: string; optionalDependencies?: Record<string, string> }
export type Lock = { packages: Record<string, Entry> }

/** @param cwd the project's folder @returns one sentence for each problem */
export async function lockProblems(cwd: string): Promise<string[]> {
  return problemsOf(JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8')) as Lock)
}

export function problemsOf({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { resolved, optionalDependencies = {} }]) => [
    ...Object.keys(optionalDependencies)
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `package-lock.json lacks ${name}, which ${path || 'package.json'} names: npm ci would refuse it`),
    ...(resolved ? [`package-lock.json has the URL of ${path}: it must not name a registry`] : []),
  ])
}

/** Node looks for a package in the node_modules of the importing package, then in those of its parents. */
function isLocked(packages: Lock['packages'], path: string, name: string): boolean {
  const beside = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`
  if (beside in packages) return true
  if (path === '') return false
  return isLocked(packages, path.includes('/node_modules/') ? path.slice(0, path.lastIndexOf('/node_modules/')) : '', name)
}
