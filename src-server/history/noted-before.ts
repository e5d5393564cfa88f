// Tells which changes an act has already: a job that goes on notes again what it finds done, and does not know what was kept.
import { createHash } from 'node:crypto'
import type { ActHead, Deed, DeedLine } from '../state/history-store.ts'

/** Acts of which the changes are remembered. */
const mostActs = 8

/** The changes of acts that jobs have gone on with. */
export class NotedBefore {
  readonly #read: (head: ActHead) => Promise<readonly DeedLine[]>
  /** By the id of the act, the one that was used last at the end. */
  readonly #acts = new Map<string, Readonly<{ changes: Set<string>; usedAt: number }>>()

  /** @param read the changes of an act */
  constructor(read: (head: ActHead) => Promise<readonly DeedLine[]>) {
    this.#read = read
  }

  /** Adds changes. @returns those that are not noted again, or that the act has not */
  async fresh<T extends Readonly<{ deed: Deed; isAgain: boolean }>>(
    head: ActHead,
    noted: readonly T[],
    now: number,
  ): Promise<T[]> {
    const isAsked = noted.some(({ isAgain }) => isAgain)
    const changes = this.#acts.get(head.id)?.changes ?? (isAsked ? await this.#changesOf(head) : undefined)
    if (!changes) return [...noted]
    this.#acts.delete(head.id)
    this.#acts.set(head.id, { changes, usedAt: now })
    const [oldest] = this.#acts.keys()
    if (this.#acts.size > mostActs && oldest !== undefined) this.#acts.delete(oldest)
    return noted.filter(({ deed, isAgain }) => {
      const key = keyOf(deed)
      if (isAgain && changes.has(key)) return false
      changes.add(key)
      return true
    })
  }

  forget(id: string): void {
    this.#acts.delete(id)
  }

  /** Forgets the acts that were not used since a moment. */
  forgetUnused(since: number): void {
    for (const [id, { usedAt }] of this.#acts) if (usedAt < since) this.#acts.delete(id)
  }

  async #changesOf(head: ActHead): Promise<Set<string>> {
    const lines = await this.#read(head)
    // What is behind its head is numbered anew: what is added next takes its place.
    return new Set(lines.filter(({ deed, isUndone }) => deed < head.deeds && !isUndone).map(({ is }) => keyOf(is)))
  }
}

/** Shorter than the change itself, of which there may be a hundred thousand. */
function keyOf(deed: Deed): string {
  return createHash('sha256').update(JSON.stringify(deed)).digest('base64').slice(0, 20)
}
