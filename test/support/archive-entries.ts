// Entries to pack.
import type { ArchiveEntry } from '../../src-server/archives/archive.ts'

const modified = BigInt(Date.UTC(2024, 1, 29, 12, 34, 56)) * 1_000_000n

export function folder(path: string, of: Partial<ArchiveEntry> = {}): ArchiveEntry {
  return { path, isDir: true, size: 0, modified, mode: 0o755, ...of }
}

export function file(path: string, content: string | Uint8Array, of: Partial<ArchiveEntry> = {}): ArchiveEntry {
  const bytes = Buffer.from(content)
  return { path, isDir: false, size: bytes.length, modified, mode: 0o644, read: () => inOrder(chunksOf(bytes)), ...of }
}

/** A file that repeats one chunk. */
export function repeated(path: string, chunk: Uint8Array, count: number): ArchiveEntry {
  const chunks = function* () {
    for (let left = count; left > 0; left--) yield chunk
  }
  return { path, isDir: false, size: chunk.length * count, modified, mode: 0o644, read: () => inOrder(chunks()) }
}

export async function* inOrder<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* items
}

function* chunksOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
}
