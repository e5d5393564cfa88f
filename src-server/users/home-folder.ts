import { Failure } from '../base/failure.ts'
import { joined, type Path, parsePath } from '../base/paths.ts'

/** What the home folder of a new user depends on. */
export type HomeSettings = Readonly<{ createUserDir: boolean; defaults: Readonly<{ scope: string }> }>

/** The folder of the home folders, below the default scope. */
const homesFolder = '/users'

/** The scope of a new user, and whether its folder is made and may be nobody else's. */
export type Home = Readonly<{ scope: Path; isMade: boolean; isOwn: boolean }>

/**
 * The scope of a new user: with `createUserDir` a folder of the cleaned name when no other scope than the default is given.
 * @throws Failure('invalid') when nothing of the name is left, or the scope is no path
 */
export function homeOf(name: string, given: string | undefined, settings: HomeSettings): Home {
  const usual = parsePath(settings.defaults.scope)
  const scope = given === undefined || given === '' ? usual : parsePath(given)
  if (!settings.createUserDir) return { scope, isMade: false, isOwn: false }
  if (scope !== usual && scope !== '/') return { scope, isMade: true, isOwn: false }
  const base = joined(usual, parsePath(homesFolder))
  return { scope: joined(base, parsePath(cleaned(name))), isMade: true, isOwn: true }
}

/** Whether a new user without a scope of their own would get the whole served root. */
export function givesWholeRoot({ createUserDir, defaults }: HomeSettings): boolean {
  return !createUserDir && parsePath(defaults.scope) === '/'
}

function cleaned(name: string): string {
  const text = name
    .trim()
    .replaceAll('..', '')
    .replaceAll(/[^0-9A-Za-z@_.-]/g, '-')
    .replaceAll(/-+/g, '-')
  if (['', '-', '.', '..'].includes(text))
    throw new Failure('invalid', 'username: no home folder can be named after it', { about: { field: 'username' } })
  return text
}
