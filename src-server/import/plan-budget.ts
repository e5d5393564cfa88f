/**
 * Far more than any File Browser needs. `computing`: milliseconds for expressions; `folders`: look-ups for names that the rules of two
 * releases treat in two ways; `links`: look-ups of what links lead to.
 */
const usualLimits = { computing: 20_000, folders: 50_000, links: 100_000 }

type Kind = keyof typeof usualLimits

/** What the making of one plan may take in all, so that a file that was made to keep it busy does so for a limited time. */
export class PlanBudget {
  readonly #left: Record<Kind, number>
  readonly #now: () => number

  /** @param now milliseconds */
  constructor(limits: Partial<typeof usualLimits> = {}, now = () => performance.now()) {
    this.#left = { ...usualLimits, ...limits }
    this.#now = now
  }

  /** Work that depends on expressions of the source. @returns undefined, without doing it, when no time is left */
  compute<T>(work: () => T): { result: T } | undefined {
    if (this.isSpent('computing')) return undefined
    const began = this.#now()
    const result = work()
    this.#left.computing -= this.#now() - began
    return { result }
  }

  /** @returns whether something was left before */
  take(kind: Kind, count = 1): boolean {
    if (this.isSpent(kind)) return false
    this.#left[kind] -= count
    return true
  }

  isSpent(kind: Kind): boolean {
    return this.#left[kind] <= 0
  }
}
