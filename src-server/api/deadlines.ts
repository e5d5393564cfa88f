// How long a client may take to send what it began: a connection that nobody ends would stay for ever.
import type { FastifyRequest } from 'fastify'

/** Milliseconds. */
export type Deadlines = Readonly<{
  /** For the whole of a body that is read into memory. */
  smallBody: number
  /** Between two pieces of a body that is a stream. */
  stalled: number
}>

export const usualDeadlines: Deadlines = { smallBody: 30_000, stalled: 120_000 }

/** Ends the connection when the body has not come whole in time, also when the request was answered before. */
export function limitBody({ raw }: FastifyRequest, { smallBody }: Deadlines): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (length === undefined && encoding === undefined) return
  const timer = setTimeout(() => raw.socket.destroy(), smallBody)
  raw.once('close', () => clearTimeout(timer))
}

/**
 * A body as a stream. It ends in an error when no byte comes for too long; the time that its reader takes does not count.
 * Who stops reading does not destroy the connection: the refusal is still to be sent over it.
 */
export async function* streamOf({ raw }: FastifyRequest, { stalled }: Deadlines): AsyncGenerator<Uint8Array> {
  const pieces = raw.iterator({ destroyOnReturn: false })
  const begin = () => setTimeout(() => raw.socket.destroy(), stalled)
  let timer = begin()
  try {
    for await (const piece of pieces) {
      clearTimeout(timer)
      yield piece
      timer = begin()
    }
  } finally {
    clearTimeout(timer)
  }
}
