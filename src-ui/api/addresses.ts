import { baseURL } from './page-config.ts'

/** Percent-encodes each segment of a path, so that names may contain `#`, `?` and `%`. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The inverse of `encodePath`. A segment with an invalid encoding is kept unchanged. */
export function decodePath(encoded: string): string {
  return encoded.split('/').map(decodeSegment).join('/')
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The address of the page of a file or folder, with the base URL. That of a folder ends in a slash. */
export function pageOf(path: string, isDir: boolean): string {
  const encoded = encodePath(path)
  return `${baseURL}/files${isDir && !encoded.endsWith('/') ? `${encoded}/` : encoded}`
}

/** The address of a picture of a file, smaller than the file: `big` to look at, `thumb` for a tile. */
export function previewAddress(path: string, size: 'thumb' | 'big'): string {
  return `${baseURL}/api/preview/${size}${encodePath(path)}?inline=true`
}

/** The address of subtitles, converted for players. */
export const subtitleAddress = (path: string): string => `${baseURL}/api/subtitle${encodePath(path)}`

/** The address of the content of a file. The session cookie authorizes it, so that the address contains no token. */
export function rawAddress(path: string, { inline = false } = {}): string {
  return `${baseURL}/api/raw${encodePath(path)}${inline ? '?inline=true' : ''}`
}

/**
 * The address of an archive of a folder, or of some of its entries.
 * @param names of entries; without one the archive holds the whole folder
 */
export function archiveAddress(folder: string, names: readonly string[], format: string): string {
  // The server reads each name as a path of an address inside the query: it is encoded once for each.
  const files = names.map((name) => encodeURIComponent(encodeURIComponent(name))).join(',')
  return `${rawAddress(folder)}?algo=${format}${files && `&files=${files}`}`
}

/** The address of an archive whose list the server keeps. */
export function ticketAddress(ticket: string): string {
  return `${rawAddress('/')}?ticket=${encodeURIComponent(ticket)}`
}

/** The address of entries of the activity log as a file. */
export function activityAddress(query: Readonly<Record<string, string>>): string {
  return `${baseURL}/api/activity?${new URLSearchParams(query)}`
}
