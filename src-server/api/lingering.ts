// Closing a connection with unread bytes resets it, and the client may see the reset instead of the answer.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Maximum bytes of a refused body that are read and dropped. */
const mostBytes = 64 << 20
/** Milliseconds for which they are read: without a further byte, and in all. */
const [longestIdle, longest] = [2000, 30_000]

/**
 * The body of a refusal, after whose end the connection is closed. The text is sent at once; the stream ends when the client has
 * sent its body, has gone or has reached a limit. The answer needs a Content-Length, so that the client need not wait for the end.
 */
export function lingering(text: string, request: IncomingMessage): Readable {
  return Readable.from(parts(text, request), { objectMode: false })
}

async function* parts(text: string, request: IncomingMessage) {
  yield Buffer.from(text)
  await drained(request)
}

function drained(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    const stop = () => {
      clearTimeout(idle)
      clearTimeout(timer)
      request.off('data', count).off('end', stop).off('close', stop).off('error', stop)
      resolve()
    }
    const count = ({ length }: Buffer) => {
      bytes += length
      // A slow client would be reset while it sends.
      clearTimeout(idle)
      idle = setTimeout(stop, longestIdle)
      if (bytes >= mostBytes) stop()
    }
    let idle = setTimeout(stop, longestIdle)
    const timer = setTimeout(stop, longest)
    request.on('data', count).on('end', stop).on('close', stop).on('error', stop).resume()
    if (request.complete || request.destroyed) stop()
  })
}
