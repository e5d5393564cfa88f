import { Failure } from '../base/failure.ts'
import type { ArchiveEntry } from './archive.ts'
import { untilAborted } from './until-aborted.ts'

/** The content of a file, exactly as long as its size. @throws Failure('changed') at the first byte too many and at the end */
export async function* exactContent(entry: ArchiveEntry, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry.content) return yield wholeInMemory(entry, entry.content)
  let length = 0
  for await (const chunk of entry.read ? untilAborted(entry.read(), signal) : []) {
    length += chunk.length
    if (length > entry.size) throw changed(entry)
    yield chunk
  }
  if (length < entry.size) throw changed(entry)
}

/** The same in one piece. */
export async function wholeContent(entry: ArchiveEntry, signal: AbortSignal): Promise<Uint8Array> {
  if (entry.content) return wholeInMemory(entry, entry.content)
  const chunks: Uint8Array[] = []
  for await (const chunk of exactContent(entry, signal)) chunks.push(chunk)
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

function wholeInMemory(entry: ArchiveEntry, content: Uint8Array) {
  if (content.length !== entry.size) throw changed(entry)
  return content
}

function changed({ path }: ArchiveEntry) {
  return new Failure('changed', `${path} changed while it was packed`)
}
