// Fails when package-lock.json would not install on a clean machine. npm leaves a package for another system out of the lock when
// the registry lacks it, without a word, and every later `npm ci` refuses the lock.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Entry = { version?: string; resolved?: string; optionalDependencies?: Record<string, string> }
export type Lock = { packages: Record<string, Entry> }

/** @returns one sentence for each thing that is wrong. `cwd` is the project's top. */
export async function lockProblems(cwd: string): Promise<string[]> {
  return problemsOf(JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8')) as Lock)
}

export function problemsOf({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([place, { resolved, optionalDependencies = {} }]) => [
    ...Object.keys(optionalDependencies)
      .filter((name) => !isLocked(packages, place, name))
      .map((name) => `package-lock.json lacks ${name}, which ${place || 'package.json'} names: npm ci would refuse it`),
    ...(resolved ? [`package-lock.json says where ${place} was loaded from: it must name no registry`] : []),
  ])
}

/** Node looks for a package beside the one that asks, then one folder further up, to the top. */
function isLocked(packages: Lock['packages'], place: string, name: string): boolean {
  const beside = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`
  if (beside in packages) return true
  if (place === '') return false
  return isLocked(packages, place.includes('/node_modules/') ? place.slice(0, place.lastIndexOf('/node_modules/')) : '', name)
}
