// Tells what an act has already: a job that goes on notes again what it finds done, and does not know what was kept.
import { createHash } from 'node:crypto'
import { type ActHead, chosenIn, type Deed, type DeedLine } from '../state/history-store.ts'

/** Acts of which something is remembered. */
const mostActs = 8

/** The changes of acts that jobs have gone on with, and the entries that acts of jobs have counted. */
export class NotedBefore {
  readonly #read: (head: ActHead) => Promise<readonly DeedLine[]>
  readonly #changes = new SetsOfActs()
  readonly #entries = new SetsOfActs()

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
    const changes = this.#changes.get(head.id, now) ?? (isAsked ? await this.#changesOf(head, now) : undefined)
    if (!changes) return [...noted]
    return noted.filter(({ deed, isAgain }) => {
      const key = keyOf(deed)
      if (isAgain && changes.has(key)) return false
      changes.add(key)
      return true
    })
  }

  /** The paths of the entries that an act has counted. What is added to them is remembered. */
  async entries(head: ActHead, now: number): Promise<Set<string>> {
    const known = this.#entries.get(head.id, now)
    if (known) return known
    const lines = head.deeds === 0 ? [] : await this.#read(head)
    return this.#entries.set(head.id, new Set(lines.flatMap((line) => chosenIn(line) ?? [])), now)
  }

  forget(id: string): void {
    this.#changes.delete(id)
    this.#entries.delete(id)
  }

  /** Forgets the acts that were not used since a moment. */
  forgetUnused(since: number): void {
    this.#changes.deleteUnused(since)
    this.#entries.deleteUnused(since)
  }

  async #changesOf(head: ActHead, now: number): Promise<Set<string>> {
    const lines = await this.#read(head)
    // What is behind its head is numbered anew: what is added next takes its place.
    const kept = lines.filter(({ deed, isUndone }) => deed < head.deeds && !isUndone)
    return this.#changes.set(head.id, new Set(kept.map(({ is }) => keyOf(is))), now)
  }
}

/** One set of each act, of the few that were used last. */
class SetsOfActs {
  /** By the id of the act, the one that was used last at the end. */
  readonly #acts = new Map<string, Readonly<{ found: Set<string>; usedAt: number }>>()

  get(id: string, now: number): Set<string> | undefined {
    const known = this.#acts.get(id)
    return known && this.set(id, known.found, now)
  }

  set(id: string, found: Set<string>, now: number): Set<string> {
    this.#acts.delete(id)
    this.#acts.set(id, { found, usedAt: now })
    const [oldest] = this.#acts.keys()
    if (this.#acts.size > mostActs && oldest !== undefined) this.#acts.delete(oldest)
    return found
  }

  delete(id: string): void {
    this.#acts.delete(id)
  }

  deleteUnused(since: number): void {
    for (const [id, { usedAt }] of this.#acts) if (usedAt < since) this.#acts.delete(id)
  }
}

/** Shorter than the change itself, of which there may be a hundred thousand. */
function keyOf(deed: Deed): string {
  return createHash('sha256').update(JSON.stringify(deed)).digest('base64').slice(0, 20)
}
