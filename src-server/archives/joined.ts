import { Pages, pageLength } from './pages.ts'

/**
 * Joins short pieces, so that many small files do not become many small writes. A long piece is passed on without a copy.
 * @throws the reason of the signal instead of the pieces that wait here
 */
export async function* joined(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pages = new Pages()
  for await (const piece of pieces) {
    for (const ready of piece.length < pageLength ? pages.add(piece) : [...pages.flush(), piece]) {
      yield ready
      signal.throwIfAborted()
    }
  }
  yield* pages.flush()
}
