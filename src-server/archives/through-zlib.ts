import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Transform } from 'node:stream'
import { Limiter } from '../base/limiter.ts'

/** Chunks of all archives at a time. With more of them the processors have less time for the main thread, and no more is done. */
const limiter = new Limiter({ inAll: availableParallelism() })

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
      await limiter.run(() => written(stream, chunk))
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

function written(stream: Transform, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}
