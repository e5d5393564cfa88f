// What a link says, taken apart as text: nothing here touches the disk.
import { type Path, parsePath } from '../base/paths.ts'

/** The names in a link's text or in a path of the host, '..' among them. */
export function namesIn(text: string): string[] {
  const parts = text.split(process.platform === 'win32' ? /[\\/]/ : '/')
  return parts.filter((temporary) => temporary !== '' && temporary !== '.')
}

/** @throws Failure('invalid') for what is no visitor's path: a name that is too long, a path that grew too long */
export function pathOf(names: readonly string[]): Path {
  return parsePath(names.join('/'))
}

/** Where names lead from a folder on; undefined for what climbs out. Each '..' goes back one name: a link among them is not known here. */
export function followText(trail: readonly string[], names: readonly string[]): Path | undefined {
  const place = [...trail]
  for (const name of names) {
    if (name === '..' && place.pop() === undefined) return undefined
    if (name !== '..') place.push(name)
  }
  return pathOf(place)
}
