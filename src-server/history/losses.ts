// Changes that could not be kept: undone without them, an act would look as if it was undone.
import type { ActHead, HistoryStore } from '../state/history-store.ts'
import type { Noted } from './noted.ts'

/** `first`: of what was lost. `act`: the act that it belongs to; undefined for its first change. */
export type Loss = Readonly<{ userId: number; key: string; first: Noted; act: string | undefined }>

type LossesParts = Readonly<{
  store: HistoryStore
  /** Opens the act of a loss that has none yet. */
  open(loss: Loss): Promise<ActHead>
}>

/** How many are remembered. */
const mostLosses = 1000

/** Those of which nothing tells the next start yet. */
export class Losses {
  readonly #parts: LossesParts
  readonly #losses = new Map<string, Loss>()

  constructor(parts: LossesParts) {
    this.#parts = parts
  }

  add(loss: Loss): void {
    this.#losses.set(nameOf(loss), loss)
    const [oldest] = this.#losses.keys()
    if (this.#losses.size > mostLosses && oldest !== undefined) this.#losses.delete(oldest)
  }

  /** What an act has lost, or what came before its first change. */
  find({ userId, key, id }: ActHead): Loss | undefined {
    return this.#losses.get(nameOf({ userId, key, act: id })) ?? this.#losses.get(nameOf({ userId, key, act: undefined }))
  }

  /** Whose losses `keep` would write. */
  persons(): Set<number> {
    return new Set([...this.#losses.values()].filter(isKept).map(({ userId }) => userId))
  }

  delete(loss: Loss): void {
    this.#losses.delete(nameOf(loss))
  }

  forget(userId: number): void {
    for (const loss of this.#of(userId)) this.delete(loss)
  }

  /** Writes to the heads of the acts that something of them is lost, where there is space again: the next start knows nothing else. */
  async keep(userId: number): Promise<void> {
    const { store, open } = this.#parts
    for (const loss of this.#of(userId).filter(isKept)) {
      try {
        const heads = loss.act === undefined ? [await open(loss)] : await store.heads(userId)
        const head = heads.find(({ id }) => loss.act === undefined || id === loss.act)
        if (head) await store.setHead({ ...head, isTooLarge: true }, false)
        this.delete(loss)
      } catch {
        // The loss was reported. It is tried again with whatever comes next.
        return
      }
    }
  }

  #of(userId: number): Loss[] {
    return [...this.#losses.values()].filter((loss) => loss.userId === userId)
  }
}

/**
 * Whether the next start has to know of it. Where an act has not begun, only a job goes on with it then; an act for each change that was
 * lost would take the place of older acts.
 */
const isKept = ({ act, first }: Loss): boolean => act !== undefined || first.chosen.way === 'job'

const nameOf = ({ userId, key, act = '' }: Omit<Loss, 'first'>) => `${userId} ${act} ${key}`
