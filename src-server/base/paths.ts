// The only parser of paths: every text that names a file of a principal becomes a `Path` here.
import { Failure } from './failure.ts'

declare const canonical: unique symbol

/** A canonical path from the scope's root: starts with '/', has no trailing slash (except '/' itself), no '', '.', '..' or NUL. */
export type Path = string & { readonly [canonical]: true }

/** The scope's root. */
export const rootPath = '/' as Path

/** Bytes in UTF-8, the limits of Linux (NAME_MAX, PATH_MAX). */
const longestPart = 255
const longestPath = 4096

/**
 * Parses a path; '.', empty parts and slashes at the ends are dropped.
 * @param text percent-decoded once
 * @throws Failure('invalid') for '..', NUL, a lone surrogate, a part over 255 bytes, a path over 4,096 bytes, and on Windows a backslash
 */
export function parsePath(text: string): Path {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.')
  for (const part of parts) checkPart(part)
  const path = `/${parts.join('/')}`
  if (Buffer.byteLength(path) > longestPath) throw new Failure('invalid', 'the path is longer than 4,096 bytes')
  return path as Path
}

/** Parses a URL path inside a query (`destination`, each of `files`): decodes each segment once more. An invalid escape is taken literally. */
export function parseUrlPath(text: string): Path {
  return parsePath(text.split('/').map(decodeSegment).join('/'))
}

function decodeSegment(segment: string) {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function checkPart(part: string) {
  if (part === '..') throw new Failure('invalid', 'a path must not contain ".."')
  if (part.includes('\0')) throw new Failure('invalid', 'a path must not contain a NUL character')
  if (!part.isWellFormed()) throw new Failure('invalid', 'a path must be well-formed Unicode')
  if (process.platform === 'win32' && part.includes('\\')) throw new Failure('invalid', 'a path must not contain a backslash')
  if (Buffer.byteLength(part) > longestPart) throw new Failure('invalid', 'a name is longer than 255 bytes')
}

/** The names of a path from the root down; empty for the root. */
export function partsOf(path: Path): string[] {
  return path === '/' ? [] : path.slice(1).split('/')
}

/** The last name; '' for the root. */
export function nameOf(path: Path): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The folder a path lies in; the root is its own parent. */
export function parentOf(path: Path): Path {
  return (path.slice(0, path.lastIndexOf('/')) || '/') as Path
}

/** @throws Failure('invalid') when `name` is not one single name. */
export function childOf(folder: Path, name: string): Path {
  if (name === '' || name === '.' || name.includes('/')) throw new Failure('invalid', 'a name must be one part of a path')
  return parsePath(`${folder}/${name}`)
}

/** `path`, which is relative to `folder`, appended to it. */
export function joined(folder: Path, path: Path): Path {
  if (folder === '/') return path
  return path === '/' ? folder : (`${folder}${path}` as Path)
}

/** Whether `path` is `ancestor` or lies below it. Compares whole segments. */
export function isWithin(path: Path, ancestor: Path): boolean {
  return ancestor === '/' || path === ancestor || path.startsWith(`${ancestor}/`)
}

/** A path from the served root as a path from a folder of it; undefined outside the folder. */
export function pathBelow(folder: Path, served: Path): Path | undefined {
  if (!isWithin(served, folder)) return undefined
  return folder === rootPath ? served : ((served.slice(folder.length) || '/') as Path)
}

/** Whether a request's path must be a folder: '' or a trailing slash. */
export function asksForFolder(text: string): boolean {
  return text === '' || text.endsWith('/')
}
