const least = 64 * 1024

/**
 * Joins short pieces, so that many small files do not become many small writes. A long piece is passed on without a copy.
 * @throws the reason of the signal instead of the pieces that wait here
 */
export async function* joined(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    const isLong = piece.length >= least
    if (!isLong) {
      waiting.push(piece)
      length += piece.length
    }
    if (isLong || length >= least) {
      if (length > 0) yield Buffer.concat(waiting, length)
      signal.throwIfAborted()
      waiting = []
      length = 0
    }
    if (isLong) yield piece
  }
  if (length > 0) yield Buffer.concat(waiting, length)
}
