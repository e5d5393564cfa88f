import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { FailureCounts } from '../users/failure-counts.ts'
import { sourceOf } from '../users/source-address.ts'
import type { UnnamedProxies } from '../users/unnamed-proxies.ts'

/** Characters of a hash of File Browser: 48 random bits. */
const shortLength = 8

/** Requests for links that are not there, of one address. Old pages may hold many of them. */
const limit = { free: 50, first: 2_000, longest: 15 * 60_000 } as const

type MissesParts = Readonly<{ clock: Clock; proxies: Pick<UnnamedProxies, 'isShared'> }>

/**
 * Refuses many misses of the short hashes of imported links. Whoever asks for a link that is there is never refused, so that it does not
 * stop who ignores the refusals.
 */
export class ShortMisses {
  readonly #counts: FailureCounts
  readonly #proxies: MissesParts['proxies']

  constructor({ clock, proxies }: MissesParts) {
    this.#counts = new FailureCounts(limit, clock)
    this.#proxies = proxies
  }

  /** The refusal of a hash that leads nowhere: 'notFound', or 'tooMany' with `retryAfter`. */
  refusal(hash: string, address: string): Failure {
    const source = sourceOf(address)
    // Behind a proxy that is not named everybody has one address.
    if (hash.length !== shortLength || this.#proxies.isShared(source)) return new Failure('notFound')
    const delay = this.#counts.delay(source)
    if (delay > 0) return new Failure('tooMany', '', { retryAfter: Math.ceil(delay / 1000) })
    this.#counts.add(source)
    return new Failure('notFound')
  }
}
