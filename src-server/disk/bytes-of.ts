import { read } from 'node:fs'
import { promisify } from 'node:util'
import type { OpenFile } from './disk.ts'

const readAt = promisify(read) as (
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>

/** Bytes asked for at once. */
const chunkSize = 1 << 18

/**
 * The bytes of an open file from its start, at most `limit` of them; each chunk is a buffer of its own.
 * Reads at positions of its own, so that one handle may be read more than once. Does not close it.
 */
export async function* bytesOf(file: OpenFile, limit = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < limit; ) {
    const wanted = Math.min(chunkSize, limit - position)
    const buffer = Buffer.allocUnsafeSlow(wanted)
    const { bytesRead } = await readAt(file.fd, buffer, 0, wanted, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
