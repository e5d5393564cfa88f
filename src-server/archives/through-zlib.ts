import { once } from 'node:events'
import type { Transform } from 'node:stream'

/**
 * The content as a stream of zlib changes it, in pieces. Node runs zlib in its thread pool. The stream is destroyed at the end.
 * @param giveBack called with each chunk of the content that is needed no longer
 */
export async function* throughZlib(
  content: AsyncIterable<Uint8Array>,
  stream: Transform,
  giveBack?: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let pieces: Buffer[] = []
  const taken = () => {
    const all = pieces
    pieces = []
    return all
  }
  stream.on('data', (piece: Buffer) => pieces.push(piece))
  try {
    for await (const chunk of content) {
      // One chunk at a time, so that no more than its pieces wait here.
      await new Promise<void>((resolve, reject) => {
        stream.write(chunk, (error) => (error ? reject(error) : resolve()))
      })
      giveBack?.(chunk)
      yield* taken()
    }
    const ended = once(stream, 'end')
    stream.end()
    await ended
    yield* taken()
  } finally {
    stream.destroy()
  }
}
