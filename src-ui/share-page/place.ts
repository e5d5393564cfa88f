import { decodePath, encodePath } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import type { SharedPlace } from '../api/shared.ts'

/** What an address of the page names: `/share/<hash>/<path>`. */
export function placeOf(pathname: string): SharedPlace {
  const [hash = '', ...names] = pathname.slice(`${baseURL}/share/`.length).split('/')
  const path = `/${names.filter((name) => name !== '').join('/')}`
  return { hash: decodePath(hash), path: decodePath(path) }
}

/** The address of the page of a place. */
export function pageAddress({ hash, path }: SharedPlace): string {
  return `${baseURL}/share/${encodeURIComponent(hash)}${path === '/' ? '' : encodePath(path)}`
}

/** The folder around a path; the shared folder itself has none. */
export function folderAround(path: string): string | undefined {
  return path === '/' ? undefined : path.slice(0, path.lastIndexOf('/')) || '/'
}
