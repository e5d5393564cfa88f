import type { Clock } from '../base/clock.ts'
import { delay } from '../base/delay.ts'
import { Failure } from '../base/failure.ts'
import type { LinkMessage } from '../contract/shares.ts'

/** Milliseconds between two messages that only say that the connection is there. */
const alivePause = 25_000
/** Milliseconds after which a page opens its link anew: the ticket of a password ends without a change of the link. */
const longestLife = 900_000

type FollowedLinkParts = Readonly<{
  clock: Clock
  /** Seconds since the epoch; 0 for a permanent link. */
  expire: number
  /** Resolves when the link gives no more downloads to this visitor; the signal ends the waiting. */
  exhausted(signal: AbortSignal): Promise<void>
  /** Aborted when the socket closes, and when the link or its owner's rights change. */
  signal: AbortSignal
}>

/** The socket of a visitor's page. */
export type LinkPage = Readonly<{
  messages: AsyncIterable<string>
  /** Resolves when the text has left this process. */
  send(text: string): Promise<void>
}>

/** A link whose page is open. The page is told of a change by the end of the socket alone, and then reads its link again. */
export class FollowedLink {
  readonly #parts: FollowedLinkParts

  constructor(parts: FollowedLinkParts) {
    this.#parts = parts
  }

  /** @returns when the page is to read its link again @throws Failure('invalid') when it sends something */
  async serve({ messages, send }: LinkPage): Promise<void> {
    const { clock, exhausted } = this.#parts
    if (this.#parts.signal.aborted) return
    const ending = new AbortController()
    const signal = AbortSignal.any([this.#parts.signal, ending.signal])
    const changes = [delay(clock, this.#life(), signal), refuseAll(messages), exhausted(signal)]
    try {
      await Promise.race([...changes, this.#stayAlive(send, signal)])
    } finally {
      ending.abort()
    }
  }

  #life(): number {
    const { clock, expire } = this.#parts
    return expire === 0 ? longestLife : Math.min(longestLife, Math.max(0, expire * 1000 - clock.now()))
  }

  async #stayAlive(send: LinkPage['send'], signal: AbortSignal): Promise<void> {
    const alive = JSON.stringify({ kind: 'alive' } satisfies LinkMessage)
    for (let isThere = !signal.aborted; isThere; ) {
      const paused = delay(this.#parts.clock, alivePause, signal)
      // An error means that the socket has closed, which aborts the signal.
      await send(alive).catch(() => undefined)
      isThere = await paused
    }
  }
}

async function refuseAll(messages: AsyncIterable<string>): Promise<boolean> {
  for await (const _ of messages) throw new Failure('invalid', 'the page of a link sends nothing')
  return true
}
