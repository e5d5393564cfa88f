// The names of entries of an archive: what would lead out of the folder into which it is extracted is refused, and not mended.
import { Failure } from '../base/failure.ts'
import { parsePath, partsOf } from '../base/paths.ts'
import { shownName } from './archive-file.ts'

/** Names of a path: real trees have far fewer, and each takes its time. */
const mostParts = 256

/** As on Windows: a letter of a drive, or the name of a server. */
const absolute = /^(?:[/\\]|[A-Za-z]:[/\\]|[A-Za-z]:$)/

/**
 * The names of a path in an archive. Empty parts and '.' are dropped, as every program does.
 * @returns no names for the top of the archive itself
 * @throws Failure('invalid') for an absolute path, '..', NUL, a lone surrogate, and a name or path that is too long or too deep
 */
export function entryParts(name: string): string[] {
  if (absolute.test(name) || name.split('/').includes('..')) throw leaves(name)
  const parts = partsIn(name)
  if (parts.length > mostParts) throw tooDeep(name)
  return parts
}

function partsIn(name: string): string[] {
  try {
    return partsOf(parsePath(name))
  } catch (error) {
    throw error instanceof Failure && error.template.includes('longer') ? error : refusedName(name, error)
  }
}

const tooDeep = (name: string) =>
  new Failure('invalid', '{{name}} is more than {{number}} levels deep', { about: { name: shownName(name), number: mostParts } })

const leaves = (name: string) => new Failure('invalid', '{{name}} leads out of the archive', { about: { name: shownName(name) } })

/** A name that cannot be made. */
export function refusedName(name: string, cause?: unknown): Failure {
  return new Failure('invalid', '{{name}} is no name for a file here', { about: { name: shownName(name) }, cause })
}

const macFolder = '__MACOSX'

/** Whether an entry is what macOS packs beside files: attributes that have no place on a server. */
export function isOfMac(parts: readonly string[], isFolder: boolean): boolean {
  return parts[0] === macFolder && (isFolder || parts.at(-1)?.startsWith('._') === true)
}

/**
 * Checks where a link of an archive leads: to a path below the top, on the way to which no '..' follows a name. As this holds of every
 * link, a chain of them stays below the top too.
 * @param parts of the link itself @param tops how many names of its path it must not lead above: 1 when all of the archive lies in one entry,
 * so that a link which is that entry leads out wherever it leads
 * @throws Failure('invalid')
 */
export function checkLink(
  text: string,
  { parts, name }: Readonly<{ parts: readonly string[]; name: string }>,
  tops: number,
): void {
  const steps = text.split('/').filter((part) => part !== '' && part !== '.')
  const up = steps.findIndex((part) => part !== '..')
  const ups = up < 0 ? steps.length : up
  const depth = parts.length - 1
  const isRight = text !== '' && !absolute.test(text) && !text.includes('\0') && text.isWellFormed() && text.length <= 4096
  if (!isRight || steps.slice(ups).includes('..') || ups > depth - tops)
    throw new Failure('invalid', '{{name}} is a link that leads out of the archive', { about: { name: shownName(name) } })
}
