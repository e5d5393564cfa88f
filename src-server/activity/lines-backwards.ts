import type { FileHandle } from 'node:fs/promises'

/** Bytes that are read at a time. */
const piece = 65_536

/** Bytes. No entry has a longer line: what is longer is left out, because it would be kept in memory. */
const longestLine = 2 ** 20

const newline = 0x0a

/** A line, and the place of its first byte in the file. */
export type PlacedLine = Readonly<{ start: number; text: string }>

/**
 * The lines before a place, the last first, those together that were read together. Not more than one piece and one line is in
 * memory.
 * @param end where the last line ends
 */
export async function* linesBackwards(
  file: Pick<FileHandle, 'read'>,
  { end: from, signal }: Readonly<{ end: number; signal: AbortSignal }>,
): AsyncGenerator<readonly PlacedLine[]> {
  let rest: Buffer = Buffer.alloc(0)
  for (let end = from; end > 0; ) {
    signal.throwIfAborted()
    const length = Math.min(piece, end)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, end - length)
    end -= length
    const bytes = Buffer.concat([buffer.subarray(0, bytesRead), rest])
    // What stands before the first newline may begin in the piece before.
    const first = end > 0 ? bytes.indexOf(newline) : -1
    const isUnfinished = end > 0 && first < 0
    rest = isUnfinished ? bytes.subarray(0, longestLine) : bytes.subarray(0, Math.max(first, 0))
    if (!isUnfinished) yield linesIn(bytes.subarray(first + 1), end + first + 1)
  }
}

/** The last first. @param start the place of the first byte in the file */
function linesIn(bytes: Buffer, start: number): PlacedLine[] {
  const lines: PlacedLine[] = []
  let end = bytes.length
  while (end > 0) {
    const before = bytes.lastIndexOf(newline, end - 1)
    if (before + 1 < end) lines.push({ start: start + before + 1, text: bytes.toString('utf8', before + 1, end) })
    end = before
  }
  return lines
}
