// Closes connections whose client stops sending a body or stops receiving an answer. Without this they would stay for ever.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, systemClock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { HoldingWait } from './giving-way.ts'
import { ReceivedBody } from './received-body.ts'
import { TakenAnswer } from './taken-answer.ts'

/** Milliseconds for the whole of a body that is read into memory, for each MiB that is announced. */
const smallBody = 30_000
const [mebibyte, mostMebibytes] = [2 ** 20, 8]
/** Milliseconds between two chunks of a body that is a stream. */
const stalled = 120_000
/** Milliseconds for which the connection of a body that gave way stays, so that its client sees the refusal. */
const longestRefusal = 5000
/** Milliseconds within which a client must receive at least one byte of an answer that is waiting. */
const unreceived = 120_000

/** Milliseconds within which the disk must say what stands at a path that is to be listed, and seconds after which a client may ask again. */
const [longestLook, lookAgain] = [10_000, 2]

/** Milliseconds between two pings of a WebSocket. */
const pingPause = 30_000

/** The part of a WebSocket that is used here. */
type Pingable = { ping(): void; terminate(): void; on(name: 'pong', listener: () => void): unknown }

/** Timeouts for sending and receiving. */
export class Deadlines {
  readonly #clock: Clock
  readonly #received = new WeakMap<FastifyRequest, ReceivedBody>()

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Milliseconds since some moment. */
  elapsed(): number {
    return this.#clock.elapsed()
  }

  /**
   * Closes a socket whose client does not answer a ping until the next, because it vanished or reads nothing.
   * @returns what stops the pings
   */
  endSilent(socket: Pingable): () => void {
    let isAnswered = true
    let cancel = () => {}
    const next = () => {
      if (!isAnswered) return socket.terminate()
      isAnswered = false
      socket.ping()
      cancel = this.#clock.after(pingPause, next)
    }
    socket.on('pong', () => {
      isAnswered = true
    })
    cancel = this.#clock.after(pingPause, next)
    return () => cancel()
  }

  /** Waits for the first answer of a disk. @throws Failure('busy') when it does not come in time */
  async firstAnswer<T>(asked: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const giveUp = () => late.reject(new Failure('busy', 'the disk does not answer', { retryAfter: lookAgain }))
    const cancel = this.#clock.after(longestLook, giveUp)
    try {
      return await Promise.race([asked, late.promise])
    } finally {
      cancel()
    }
  }

  /** Closes the connection when the body is not complete in time, even if the request has been answered. */
  limitBody({ raw }: FastifyRequest): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
    if (length === undefined && encoding === undefined) return
    const announced = Math.min(Math.ceil(Number(length ?? 0) / mebibyte), mostMebibytes)
    raw.once('close', this.#endAfter(raw, smallBody * Math.max(announced, 1)))
  }

  /**
   * A body as a stream. It fails when no byte arrives for too long; the time that the reader takes does not count.
   * A reader that stops early leaves the connection open, so that a refusal can be sent over it.
   */
  streamOf(request: FastifyRequest): AsyncGenerator<Uint8Array> {
    return this.sentIn(request, request.raw.iterator({ destroyOnReturn: false }))
  }

  /** What arrives in a body. It fails when nothing comes for too long, as streamOf() does. */
  async *sentIn<T>(request: FastifyRequest, items: AsyncIterable<T>): AsyncGenerator<T> {
    const { raw } = request
    const body = this.received(request)
    const iterator = items[Symbol.asyncIterator]()
    let cancel = this.#endAfter(raw, stalled)
    let isDone = false
    try {
      for (;;) {
        const next = await body.next(iterator)
        isDone = next.done === true
        if (isDone) return
        cancel()
        yield next.value
        cancel = this.#endAfter(raw, stalled)
      }
    } finally {
      cancel()
      const ended = isDone ? undefined : iterator.return?.()
      if (body.hasGivenWay) {
        // What it waits for may never come.
        ended?.catch(() => {})
        raw.once('close', this.#endAfter(raw, longestRefusal))
      } else await ended
    }
  }

  /** How fast the body of a request arrives by sentIn(). */
  received(request: FastifyRequest): ReceivedBody {
    const body = this.#received.get(request) ?? new ReceivedBody(this.#clock)
    this.#received.set(request, body)
    return body
  }

  /** Whether the client takes the answer to a request, until the operation ends. */
  taken({ raw }: FastifyRequest, operation: Operation): TakenAnswer {
    return operation.own(new TakenAnswer(raw.socket, this.#clock))
  }

  /** For work that holds a place while it waits for another. */
  holdingWait(): HoldingWait {
    return new HoldingWait(() => this.#clock.elapsed())
  }

  /** Closes the connection when the client receives nothing for too long. Time in which the server has nothing to send does not count. */
  limitReceiving({ raw }: FastifyReply): void {
    // The socket's own timer: only it is reset while the system sends parts of a large write.
    raw.setTimeout(unreceived, () => {
      if (raw.socket && raw.socket.writableLength > 0) raw.socket.destroy()
    })
  }

  #endAfter({ socket }: FastifyRequest['raw'], milliseconds: number) {
    return this.#clock.after(milliseconds, () => socket.destroy())
  }
}
