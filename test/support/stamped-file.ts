// Files that contain their own checksum: a line with name, version, length and hash, then the bytes.
import { createHash, randomBytes } from 'node:crypto'

/** @param length bytes after the first line */
export function stampedFile(name: string, version: number, length: number): Buffer {
  const bytes = randomBytes(length)
  return Buffer.concat([Buffer.from(`${name} ${version} ${length} ${hashOf(bytes)}\n`), bytes])
}

/** @returns name and version of a complete file; undefined for an empty, truncated, mixed or longer one */
export function readStamp(file: Buffer): { name: string; version: number } | undefined {
  const end = file.indexOf('\n')
  const [name = '', version, length, hash] = file.toString('utf8', 0, Math.max(0, end)).split(' ')
  const bytes = file.subarray(end + 1)
  const isWhole = end > 0 && bytes.length === Number(length) && hashOf(bytes) === hash
  return isWhole ? { name, version: Number(version) } : undefined
}

function hashOf(bytes: Buffer) {
  return createHash('sha256').update(bytes).digest('hex')
}
