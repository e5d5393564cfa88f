// The text of a link: nothing here touches the disk.
import { type Path, parsePath } from '../base/paths.ts'

/** The names in a link's text or in a path of the host, '..' among them. */
export function namesIn(text: string): string[] {
  const parts = text.split(process.platform === 'win32' ? /[\\/]/ : '/')
  return parts.filter((part) => part !== '' && part !== '.')
}

/** @throws Failure('invalid') for a name or a path that is too long */
export function pathOf(names: readonly string[]): Path {
  return parsePath(names.join('/'))
}

/** Where names lead from a folder; undefined for what leaves the root. Each '..' removes one name: whether that is a link is not known. */
export function followText(trail: readonly string[], names: readonly string[]): Path | undefined {
  const resolved = [...trail]
  for (const name of names) {
    if (name === '..' && resolved.pop() === undefined) return undefined
    if (name !== '..') resolved.push(name)
  }
  return pathOf(resolved)
}
