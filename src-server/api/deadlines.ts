// How long a client may take to send what it began, or to take what it asked for: a connection that nobody ends would stay for ever.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, systemClock } from '../base/clock.ts'

/** Milliseconds for the whole of a body that is read into memory. */
const smallBody = 30_000
/** Milliseconds between two pieces of a body that is a stream. */
const stalled = 120_000
/** Milliseconds in which a client that an answer waits for takes at least one byte. */
const untaken = 120_000

/** Ends connections whose client does not go on. */
export class Deadlines {
  readonly #clock: Clock

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Ends the connection when the body has not come whole in time, also when the request was answered before. */
  limitBody({ raw }: FastifyRequest): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
    if (length === undefined && encoding === undefined) return
    raw.once('close', this.#endAfter(raw, smallBody))
  }

  /**
   * A body as a stream. It ends in an error when no byte comes for too long; the time that its reader takes does not count.
   * Who stops reading does not destroy the connection: the refusal is still to be sent over it.
   */
  async *streamOf({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
    const pieces = raw.iterator({ destroyOnReturn: false })
    let cancel = this.#endAfter(raw, stalled)
    try {
      for await (const piece of pieces) {
        cancel()
        yield piece
        cancel = this.#endAfter(raw, stalled)
      }
    } finally {
      cancel()
    }
  }

  /** Ends the connection when its client takes nothing of the answer for too long; the time in which the server has none does not count. */
  limitTaking({ raw }: FastifyReply): void {
    // The socket's own timer: nothing else sees how much of a large write the system has passed on.
    raw.setTimeout(untaken, () => {
      if (raw.socket && raw.socket.writableLength > 0) raw.socket.destroy()
    })
  }

  #endAfter({ socket }: FastifyRequest['raw'], milliseconds: number) {
    return this.#clock.after(milliseconds, () => socket.destroy())
  }
}
