import { baseURL } from './page-config.ts'

/** Percent-encodes every segment of a path, so that `#`, `?`, `%` and whatever else a name holds arrive as they are. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The inverse of `encodePath`; a segment that is no valid encoding is taken as it stands. */
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

/** `/files` and the path: the page of a file or, with a slash at its end, of a folder. With the base URL, for links. */
export function pageOf(path: string, isDir: boolean): string {
  const encoded = encodePath(path)
  return `${baseURL}/files${isDir && !encoded.endsWith('/') ? `${encoded}/` : encoded}`
}

/** Where the bytes of a file are; the session cookie opens it, so that no token stands in an address. */
export function rawAddress(path: string, { inline = false } = {}): string {
  return `${baseURL}/api/raw${encodePath(path)}${inline ? '?inline=true' : ''}`
}
