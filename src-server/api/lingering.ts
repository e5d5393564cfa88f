// A connection that is closed with bytes unread is reset, and the client may see that instead of the answer.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Bytes of a refused body that are read and dropped at most. */
const mostBytes = 64 << 20
/** Milliseconds for which they are read. */
const longest = 2000

/**
 * The body of a refusal, with whose end the connection is closed: all of it is sent at once, and it ends when the client has
 * sent its body, has gone or has sent enough. The answer needs a Content-Length, by which the client knows that it has it all.
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
      clearTimeout(timer)
      request.off('data', count).off('end', stop).off('close', stop).off('error', stop)
      resolve()
    }
    const count = ({ length }: Buffer) => {
      bytes += length
      if (bytes >= mostBytes) stop()
    }
    const timer = setTimeout(stop, longest)
    request.on('data', count).on('end', stop).on('close', stop).on('error', stop).resume()
    if (request.complete || request.destroyed) stop()
  })
}
